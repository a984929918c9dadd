// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  C = alpha A + beta B beside a copy, the vendor's library and the course's kernel in CUDA C.
#include <gpu/operands.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/add.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/add.hpp>
#endif

#include <memory>

namespace pantile::perf::gpu {

namespace {

// 1 and 2 make every sum the same in any order and with or without fused multiply-adds: results are compared exactly.
constexpr int beta = 2;

template <class T>
struct NotTheSum {
  T const *a, *b, *c;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const {
    wrong += c[i] == a[i] + T(beta) * b[i] ? 0 : 1;
  }
};

template <class T>
struct Summands {
  std::vector<Matrix<T>> a, b, c;

  Summands(std::int64_t m, std::int64_t n) {
    std::int64_t const sets = sets_for(3.0 * static_cast<double>(m * n) * sizeof(T));
    for (std::int64_t set = 0; set < sets; ++set) {
      a.push_back(random_matrix<T>(m, n, static_cast<std::uint64_t>(2 * set + 1)));
      b.push_back(random_matrix<T>(m, n, static_cast<std::uint64_t>(2 * set + 2)));
      c.push_back(make_matrix<T>(m, n));
    }
    instance().fence("pantile::perf: operands");
  }
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % a.size(); }
  [[nodiscard]] Verdict judge() const {
    auto const size = static_cast<std::int64_t>(c[0].size());
    return all_equal(count_if(size, NotTheSum<T>{a[0].data(), b[0].data(), c[0].data()}), size);
  }
};

template <class T>
std::string sum_contest(std::string const& name, std::int64_t m, std::int64_t n, AddOptions const& options) {
  auto const o = std::make_shared<Summands<T>>(m, n);
  double const bytes = static_cast<double>(m) * static_cast<double>(n) * sizeof(T);
  Contest contest("GB/s", 3e-9 * bytes);
  contest.before_judged_call([o] { spoil(o->c[0]); });
  contest.plan(to_string(explain::add(instance(), 1, o->a[0], beta, o->b[0], o->c[0], options)));
  contest.own(
      [o, options](std::int64_t i) {
        auto const at = o->place(i);
        add(instance(), 1, o->a[at], beta, o->b[at], o->c[at], options);
      },
      [o] { return o->judge(); });
  if (VendorBlas const* const blas = VendorBlas::open()) {
    contest.peer(
        blas->name(),
        [o, blas, rows = static_cast<int>(m), cols = static_cast<int>(n)](std::int64_t i) {
          auto const at = o->place(i);
          blas->add<T>(cols, rows, {o->a[at].data(), cols, Op::none}, T(beta), {o->b[at].data(), cols, Op::none},
                       o->c[at].data(), cols);
        },
        [o] { return o->judge(); });
  }
#if defined(PANTILE_PERF_CUDA_C)
  auto const kernel = options.algorithm == AddAlgorithm::grid_stride ? cuda_c::add_strided<T> : cuda_c::add<T>;
  contest.peer(
      "cuda_c",
      [o, m, n, kernel](std::int64_t i) {
        auto const at = o->place(i);
        kernel(m, n, o->a[at].data(), T(beta), o->b[at].data(), o->c[at].data(), native_stream());
      },
      [o] { return o->judge(); });
#endif
  contest.bound("copy", DeviceCopy(static_cast<std::int64_t>(bytes)), 2e-9 * bytes);
  return contest.run(name);
}

template <class T>
void add_sums(std::vector<std::pair<std::int64_t, std::int64_t>> const& shapes, AddOptions const& options = {}) {
  bool const strided = options.algorithm == AddAlgorithm::grid_stride;
  for (auto const& [m, n] : shapes) {
    add_case(std::string(strided ? "add_strided/" : "add/") + element_name_v<T> + "/" + std::to_string(m) + "x" +
                 std::to_string(n),
             [m = m, n = n, options](std::string const& name) { return sum_contest<T>(name, m, n, options); });
  }
}

}  // namespace

void add_add_cases() {
  // The course's launch: 64 x 64 blocks of 6 x 6 threads.
  AddOptions const strided = {.algorithm = AddAlgorithm::grid_stride, .launch = {.grid = {64, 64}, .block = {6, 6}}};
  if (settings().smoke()) {
    add_sums<float>({{65, 130}});
    add_sums<double>({{65, 130}});
    add_sums<float>({{65, 130}}, strided);
    return;
  }
  add_sums<float>({{8192, 8192}, {8191, 8193}});
  add_sums<double>({{8192, 8192}, {8191, 8193}});
  if (settings().full()) {
    add_sums<float>({{16384, 16384}, {1024, 1024}});
    add_sums<double>({{16384, 16384}});
  }
  add_sums<float>({{8192, 8192}}, strided);
}

}  // namespace pantile::perf::gpu
