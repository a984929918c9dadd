// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernel of devices on the host, for every size of element and every place of its packs in rows.
///        Small integers: every result is exact.
#include <support/int16.hpp>

#include <pantile/add.hpp>

#include <pantile/impl/add/kernel_packed.hpp>
#include <pantile/impl/arch/cuda/traits.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using Algorithm = pantile::AddAlgorithm;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace add = pantile::impl::add;
namespace arch = pantile::impl::arch;

arch::Machine gpu() {
  arch::Machine machine;
  machine.name = "cuda";
  machine.device = true;
  machine.concurrency = 132 * 2048;
  machine.max_team_size = 1024;
  return machine;
}

template <class T>
T number(std::int64_t value) {
  if constexpr (pantile::is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(value % 5), static_cast<typename T::value_type>(value % 3));
  } else {
    return static_cast<T>(value % 5);
  }
}

struct Shape {
  std::int64_t rows, cols, gap;  ///< elements from row to row beyond cols
  int lead;                      ///< elements from a multiple of 64 bytes to the first
};

/// Elements of a matrix that begins `lead` elements behind a multiple of 64 bytes, with others before it, between its
/// rows and behind it.
template <class T>
class Store {
 public:
  Store(Shape const& s, T fill) : m_lead(s.lead + 64 / static_cast<int>(sizeof(T))), m_shape(s), m_ld(s.cols + s.gap) {
    m_size = static_cast<std::size_t>(m_lead + s.rows * m_ld + 32);
    std::size_t const bytes = (m_size * sizeof(T) + 63) / 64 * 64;
    m_memory.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
    std::fill_n(m_memory.get(), m_size, fill);
  }
  [[nodiscard]] pantile::impl::Matrix<T> matrix() const {
    return {m_memory.get() + m_lead, m_shape.rows, m_shape.cols, m_ld, 1};
  }
  [[nodiscard]] pantile::impl::Matrix<T const> const_matrix() const {
    auto const m = matrix();
    return {m.data, m.rows, m.cols, m.row_stride, m.col_stride};
  }
  [[nodiscard]] std::int64_t first() const { return m_lead; }
  [[nodiscard]] std::vector<T> all() const { return {m_memory.get(), m_memory.get() + m_size}; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::int64_t m_lead;
  Shape m_shape;
  std::int64_t m_ld;
  std::size_t m_size = 0;
  std::unique_ptr<T, Free> m_memory;
};

enum class Target { apart, a, b };

/// alpha A + beta B by the device's kernel with the plan of the policy; B, where beta is zero, and A, where alpha is,
/// hold a number that would show in the result.
template <class T>
void expect_sum(Shape const& s, int alpha, int beta, Target target) {
  T const poison = static_cast<T>(77);
  Store<T> a(s, poison), b(s, poison), apart(s, poison);
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) {
      if (alpha != 0) a.matrix()(i, j) = number<T>(3 * i + j);
      if (beta != 0) b.matrix()(i, j) = number<T>(i + 2 * j + 1);
    }
  }
  Store<T>& c = target == Target::a ? a : target == Target::b ? b : apart;
  std::vector<T> expected = c.all();
  auto const m = c.matrix();
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) {
      T sum(0);
      if (alpha != 0) sum = static_cast<T>(sum + static_cast<T>(alpha) * number<T>(3 * i + j));
      if (beta != 0) sum = static_cast<T>(sum + static_cast<T>(beta) * number<T>(i + 2 * j + 1));
      expected[static_cast<std::size_t>(c.first() + i * m.row_stride + j)] = sum;
    }
  }
  using Accumulator = pantile::default_accumulator_t<T, T, T>;
  add::Problem<T, T, T, Accumulator> const given{a.const_matrix(), b.const_matrix(), m, Accumulator(alpha),
                                                 Accumulator(beta)};
  auto const plan = add::choose(gpu(), add::make_query<arch::Cuda>(given, {.algorithm = Algorithm::blocked}));
  ASSERT_EQ(plan.refusal, "");
  Exec const exec;
  add::run_packed(exec, plan.as_one_row ? given.as_one_row() : given, plan, "packed");
  exec.fence();
  ASSERT_EQ(c.all(), expected) << s.rows << "x" << s.cols << " gap " << s.gap << " lead " << s.lead << " alpha "
                               << alpha << " beta " << beta << " target " << static_cast<int>(target);
}

template <class T>
class AddPacked : public ::testing::Test {};
using Elements =
    ::testing::Types<std::int8_t, std::int16_t, float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(AddPacked, Elements);

TYPED_TEST(AddPacked, EveryShapeAtEveryPlaceIsRightAndNothingElseIsWritten) {
  constexpr int pack = add::pack_of<TypeParam, TypeParam, TypeParam>;
  constexpr std::int64_t stretch = std::int64_t{pack} * arch::device::packed_lanes * arch::device::packs_per_thread;
  for (std::int64_t const rows : {1, 2, 3, 4, 5, 9}) {
    for (std::int64_t const cols : {std::int64_t{1}, std::int64_t{pack} - 1, std::int64_t{pack} + 1,
                                    std::int64_t{8} * pack, stretch - 1, stretch + 3}) {
      if (cols == 0) continue;
      for (std::int64_t const gap : {0, 1, 3, pack}) {
        for (int const lead : {0, 1, pack - 1}) expect_sum<TypeParam>({rows, cols, gap, lead}, 2, 3, Target::apart);
      }
    }
  }
}

TYPED_TEST(AddPacked, InPlaceAndWithoutAnOperandThatIsNotRead) {
  constexpr int pack = add::pack_of<TypeParam, TypeParam, TypeParam>;
  for (Shape const& s : {Shape{6, 5 * pack + 1, 2, 1}, Shape{1, 301 * pack + 1, 0, 0}, Shape{8, 3 * pack, pack, 0}}) {
    for (int const alpha : {0, 2}) {
      for (int const beta : {0, 3}) expect_sum<TypeParam>(s, alpha, beta, Target::apart);
    }
    expect_sum<TypeParam>(s, 2, 3, Target::a);
    expect_sum<TypeParam>(s, 2, 3, Target::b);
    expect_sum<TypeParam>(s, 2, 0, Target::a);
    expect_sum<TypeParam>(s, 0, 3, Target::b);
    expect_sum<TypeParam>(s, 2, 0, Target::b);
  }
}

/// The query for operands that begin at these addresses. Nothing runs, so that they have no memory.
template <class TA, class T>
add::Query query(std::array<std::uintptr_t, 3> const& addresses, std::array<std::int64_t, 3> const& lds,
                 double beta = 1) {
  constexpr std::int64_t rows = 1000, cols = 1000;
  add::Problem<TA, T, T, T> const problem{{reinterpret_cast<TA const*>(addresses[0]), rows, cols, lds[0], 1},
                                          {reinterpret_cast<T const*>(addresses[1]), rows, cols, lds[1], 1},
                                          {reinterpret_cast<T*>(addresses[2]), rows, cols, lds[2], 1},
                                          T(1),
                                          T(beta)};
  return add::make_query<arch::Cuda>(problem, {});
}

TEST(AddPackedPolicy, PacksWhereAllOperandsAreCutAlike) {
  EXPECT_EQ((query<float, float>({256, 512, 1024}, {1000, 1000, 1000}).packs.size), 4);
  EXPECT_EQ((query<float, float>({260, 516, 1028}, {1001, 1005, 2001}).packs.size), 4) << "the same place in every row";
  EXPECT_EQ((query<float, float>({256, 516, 1024}, {1000, 1000, 1000}).packs.size), 0) << "B begins elsewhere";
  EXPECT_EQ((query<float, float>({256, 512, 1024}, {1000, 1001, 1000}).packs.size), 0) << "B's second row does";
  EXPECT_EQ((query<float, float>({256, 516, 1024}, {1000, 1001, 1000}, 0).packs.size), 4) << "B is not read";
  EXPECT_EQ((query<float, float>({258, 514, 1026}, {1000, 1000, 1000}).packs.size), 0)
      << "elements lie across their size";
  EXPECT_EQ((query<std::int32_t, float>({256, 512, 1024}, {1000, 1000, 1000}).packs.size), 4) << "one size";
  EXPECT_EQ((query<double, float>({256, 512, 1024}, {1000, 1000, 1000}).packs.size), 0);
  using Complex = Kokkos::complex<double>;
  EXPECT_EQ((query<Complex, Complex>({256, 512, 1024}, {1000, 1001, 1002}).packs.size), 1);
  EXPECT_EQ((query<Complex, Complex>({264, 520, 1032}, {1000, 1000, 1000}).packs.size), 0);
}

TEST(AddPackedPolicy, ThreadsCoverEveryPack) {
  add::Query q{.rows = 1000, .cols = 3000, .packs = {4, 3}};
  auto plan = add::choose(gpu(), q);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_STREQ(plan.reason, "packs of 16 bytes, several of them in flight per thread");
  EXPECT_TRUE(plan.packed.down);
  EXPECT_EQ(plan.packed.width, 751) << "750 packs, and one more where rows begin within a pack";
  EXPECT_EQ(plan.packed.threads, 751 * 250);
  q.one_row = true;
  plan = add::choose(gpu(), q);
  EXPECT_TRUE(plan.as_one_row);
  EXPECT_FALSE(plan.packed.down);
  EXPECT_EQ(plan.packed.threads, (3'000'003 / 1024 + 1) * 64);
}

TEST(AddPackedPolicy, LeavesTheRestToElements) {
  add::Query q{.rows = 1000, .cols = 31, .packs = {4, 0}};
  EXPECT_EQ(add::choose(gpu(), q).algorithm, Algorithm::naive) << "rows of less than eight packs";
  q.cols = 32;
  EXPECT_EQ(add::choose(gpu(), q).algorithm, Algorithm::blocked);
  q.options.tile = {32, 8};
  EXPECT_EQ(add::choose(gpu(), q).algorithm, Algorithm::naive) << "a tile was asked for";
  q.options = {.algorithm = Algorithm::blocked};
  q.packs.size = 0;
  EXPECT_THAT(add::choose(gpu(), q).refusal,
              ::testing::StartsWith("algorithm blocked on devices is for elements of 1, 2, 4"));
}

}  // namespace
