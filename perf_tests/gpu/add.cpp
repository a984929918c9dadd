// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  C = alpha A + beta B beside a copy, the vendor's library and the course's kernel in CUDA C.
#include <gpu/device.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/add.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/add.hpp>
#endif

#include <memory>

namespace pantile::perf {

namespace {

// 1 and 2 make every sum the same in any order and with or without fused multiply-adds: results are compared exactly.
constexpr int beta = 2;

template <class T>
struct NotTheSum {
  Matrix<T> a, b, c;
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t j) const {
    return !(c(i, j) == a(i, j) + T(beta) * b(i, j));
  }
};

template <class T>
struct Summands {
  Exec exec;
  std::vector<Matrix<T>> a, b, c;

  Summands(std::int64_t m, std::int64_t n) {
    std::int64_t const sets = sets_for(3.0 * static_cast<double>(m * n) * sizeof(T));
    for (std::int64_t set = 0; set < sets; ++set) {
      a.push_back(random_matrix<T>(exec, m, n, static_cast<std::uint64_t>(2 * set + 1)));
      b.push_back(random_matrix<T>(exec, m, n, static_cast<std::uint64_t>(2 * set + 2)));
      c.push_back(make_matrix<T>(m, n));
    }
    exec.fence("pantile::perf: operands");
  }
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % a.size(); }
  [[nodiscard]] Verdict judge() const {
    return none_differs(exec, static_cast<std::int64_t>(c[0].extent(0)), static_cast<std::int64_t>(c[0].extent(1)),
                        NotTheSum<T>{a[0], b[0], c[0]});
  }
};

template <class T>
Contest sum_contest(std::int64_t m, std::int64_t n, AddOptions const& options) {
  auto const o = std::make_shared<Summands<T>>(m, n);
  Exec const exec = o->exec;
  double const bytes = static_cast<double>(m) * static_cast<double>(n) * sizeof(T);
  auto const judge = [o] { return o->judge(); };
  Contest contest("GB/s", 3e-9 * bytes);
  contest.before_judged_call([o] { spoil(o->exec, o->c[0]); });
  contest.plan(to_string(explain::add(exec, 1, o->a[0], beta, o->b[0], o->c[0], options)));
  auto const own = [o, options](std::int64_t i) {
    auto const at = o->place(i);
    add(o->exec, 1, o->a[at], beta, o->b[at], o->c[at], options);
  };
  contest.own(timed(exec, own), judge);
  if (VendorBlas const* const blas = VendorBlas::open()) {
    auto const call = [o, blas, rows = static_cast<int>(m), cols = static_cast<int>(n)](std::int64_t i) {
      auto const at = o->place(i);
      blas->add<T>(cols, rows, {o->a[at].data(), cols, Op::none}, T(beta), {o->b[at].data(), cols, Op::none},
                   o->c[at].data(), cols);
    };
    contest.peer(blas->name(), timed(exec, call), judge);
  }
#if defined(PANTILE_PERF_CUDA_C)
  auto const kernel = options.algorithm == AddAlgorithm::grid_stride ? cuda_c::add_strided<T> : cuda_c::add<T>;
  auto const twin = [o, m, n, kernel](std::int64_t i) {
    auto const at = o->place(i);
    kernel(m, n, o->a[at].data(), T(beta), o->b[at].data(), o->c[at].data(), native_stream(o->exec));
  };
  contest.peer("cuda_c", timed(exec, twin), judge);
#endif
  bound_by_copy(contest, bytes);
  return contest;
}

template <class T>
void add_sums(std::vector<std::pair<std::int64_t, std::int64_t>> const& shapes, AddOptions const& options = {}) {
  bool const strided = options.algorithm == AddAlgorithm::grid_stride;
  for (auto const& [m, n] : shapes) {
    add_case(std::string(strided ? "add_strided/" : "add/") + element_name_v<T> + "/" + std::to_string(m) + "x" +
                 std::to_string(n),
             [m = m, n = n, options] { return sum_contest<T>(m, n, options); });
  }
}

bool const add_registered = on_start([] {
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
});

}  // namespace

}  // namespace pantile::perf
