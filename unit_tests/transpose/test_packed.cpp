// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernels of devices for every size of element: one host thread plays the threads of a team.
#include <transpose/cases.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/transpose.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

template <>
struct pantile::element_traits<std::int16_t>
    : pantile::impl::ElementTraitsBase<std::int16_t, pantile::ElementKind::integer, std::int32_t, std::uint32_t> {
  static constexpr char const* name = "int16";
};

namespace {

using pantile::Algorithm;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace transpose = pantile::impl::transpose;

template <class T>
T numbered(std::int64_t i, std::int64_t j) {
  if constexpr (pantile::is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(j + 1));
  } else {
    return static_cast<T>(i * 131 + j * 7 + 3);
  }
}

/// Extents rounded up to whole packs.
template <class T>
std::int64_t rounded(std::int64_t extent) {
  constexpr std::int64_t pack = transpose::PackedShape<sizeof(T)>::pack;
  return (extent + pack - 1) / pack * pack;
}

/// A problem whose rows are whole packs apart on both sides, with poison between them.
template <class T>
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t cols, bool conjugates)
      : m_source("source", rows, rounded<T>(cols)),
        m_target("target", cols, rounded<T>(rows)),
        problem{{m_source.data(), rows, cols, rounded<T>(cols), 1},
                {m_target.data(), rows, cols, 1, rounded<T>(rows)},
                conjugates,
                false} {
    Kokkos::deep_copy(m_source, T(99));
    Kokkos::deep_copy(m_target, T(77));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) m_source(i, j) = numbered<T>(i, j);
    }
  }

  void run() const {
    using Kernel = transpose::PackedKernel<T>;
    transpose::Plan plan;
    plan.algorithm = Algorithm::blocked;
    plan.tiles =
        pantile::impl::tile::TileGrid{problem.source.rows, problem.source.cols, Kernel::edge, Kernel::edge}.count();
    plan.team_size = 1;
    plan.scratch_level = 1;
    plan.scratch_bytes = Kernel::Shape::scratch_bytes + Kernel::Group::played_bytes + 64;
    Exec const exec;
    transpose::run_packed(exec, problem, plan, "packed");
    exec.fence();
  }

  [[nodiscard]] int wrong() const {
    int count = 0;
    for (std::size_t j = 0; j < m_target.extent(0); ++j) {
      for (std::size_t i = 0; i < m_target.extent(1); ++i) {
        bool const inside = static_cast<std::int64_t>(i) < problem.source.rows;
        T expected = inside ? numbered<T>(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) : T(77);
        if (inside && problem.conjugates) expected = pantile::conjugate(expected);
        count += m_target(j, i) != expected;
      }
    }
    return count;
  }

 private:
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> m_source, m_target;

 public:
  transpose::Problem<T> const problem;
};

template <class T>
class TransposePacked : public ::testing::Test {};
using Elements =
    ::testing::Types<std::int8_t, std::int16_t, float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TransposePacked, Elements);

TYPED_TEST(TransposePacked, AnyShapeIsRight) {
  constexpr int edge = transpose::PackedShape<sizeof(TypeParam)>::edge;
  for (std::array<std::int64_t, 2> const shape : {std::array<std::int64_t, 2>{1, 1},
                                                  {edge, edge},
                                                  {edge - 1, edge + 1},
                                                  {2 * edge + 3, edge / 2 + 1},
                                                  {3, 5 * edge},
                                                  {211, 307}}) {
    for (bool const conjugates : {false, true}) {
      Packed<TypeParam> const packed(shape[0], shape[1], conjugates);
      ASSERT_TRUE(transpose::takes_packs(packed.problem));
      packed.run();
      EXPECT_EQ(packed.wrong(), 0) << shape[0] << "x" << shape[1] << (conjugates ? " conjugated" : "");
    }
  }
}

/// What the policy chooses for a device with 132 multiprocessors. Nothing runs, so the operands have no memory.
template <class T>
transpose::Plan device_plan(std::int64_t rows, std::int64_t cols, std::int64_t source_ld, std::int64_t target_ld,
                            pantile::TransposeOptions options = {}) {
  arch::Machine machine;
  machine.device = true;
  machine.concurrency = 132 * 2048;
  machine.max_team_size = 1024;
  machine.scratch_limit[0] = 40936;
  transpose::Problem<T> const problem{
      {nullptr, rows, cols, source_ld, 1}, {nullptr, rows, cols, 1, target_ld}, false, false};
  return transpose::choose(machine, transpose::make_query<arch::Cuda>(problem, options));
}

TEST(TransposePackedPolicy, TakesPacksWhereMemoryAllows) {
  auto const plan = device_plan<float>(8192, 4096, 4096, 8192);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_EQ(plan.tile, 64);
  EXPECT_EQ(plan.team_size, 256);
  EXPECT_EQ(plan.tiles, 128 * 64);
  EXPECT_EQ(plan.scratch_bytes, 64U * 64U * 4U + 16U);
  EXPECT_EQ(device_plan<double>(8191, 4096, 4096, 8192).algorithm, Algorithm::blocked);
}

TEST(TransposePackedPolicy, LeavesTheRestToTheOthers) {
  EXPECT_EQ(device_plan<float>(8191, 4097, 4097, 8191).algorithm, Algorithm::padded);
  EXPECT_EQ(device_plan<float>(8192, 4096, 4096, 8192, {.tile = 16}).algorithm, Algorithm::padded);
  EXPECT_EQ(device_plan<float>(8192, 2, 4, 8192).algorithm, Algorithm::naive);
  EXPECT_EQ(
      device_plan<float>(8191, 4097, 4097, 8191, {.algorithm = Algorithm::blocked}).refusal,
      "algorithm blocked on devices is for elements of 1, 2, 4, 8 or 16 bytes, out of place, and A and B whose rows or "
      "columns are contiguous and begin at multiples of 16 bytes (4 for single bytes)");
}

}  // namespace
