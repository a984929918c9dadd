// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul beside BLAS libraries: squares, skinny shapes, and every square from 1 to 512.
#include <peers/gemm.hpp>
#include <peers/machine.hpp>
#include <peers/thread_speedup.hpp>
#include <support/number.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace pantile::perf {

namespace {

template <class T>
void add_shape(std::string const& group, Shape const& shape, Settings const& how = settings()) {
  add_case(
      group + "/" + shape.name(), [shape] { return gemm_contest<T>(shape); }, how);
}

/// Multiples of four, primes, powers of two and their neighbours. The largest cost most of a run's time: they are left
/// to the real types, complex ones take four times as long.
template <class T>
std::vector<std::int64_t> edges() {
  if (settings().smoke()) return {5, 16};
  if (!settings().full()) return {8, 16, 31, 64, 127, 256, 511, 1024};
  std::vector<std::int64_t> all{8,  12,  16,  20,  24,  31,  32,  33,  48,  63,  64,  65,  96,
                                97, 127, 128, 129, 192, 255, 256, 257, 384, 509, 511, 512, 513};
  for (std::int64_t const n : {768, 1021, 1024}) all.push_back(n);
  if constexpr (!is_complex_v<T>) {
    for (std::int64_t const n : {1023, 1025, 1536, 2047, 2048, 4096}) all.push_back(n);
  }
  return all;
}

template <class T>
void add_squares(std::string const& element) {
  for (std::int64_t const n : edges<T>()) add_shape<T>("square/" + element, square(n));
}

template <class T>
void add_skinny(std::string const& element) {
  std::vector<std::array<std::int64_t, 3>> shapes{{2000, 8, 2000},  {12, 2000, 2000}, {16, 16, 65536}, {12, 200, 50000},
                                                  {4096, 4096, 32}, {1, 4096, 4096},  {1000000, 4, 4}};
  if (settings().smoke()) shapes = {{20, 3, 1}};
  for (auto& shape : shapes) {
    std::sort(shape.begin(), shape.end());
    do {
      add_shape<T>("skinny/" + element, {shape[0], shape[1], shape[2]});
    } while (std::next_permutation(shape.begin(), shape.end()));
  }
}

/// Few sums of many products.
template <class T>
void add_deep(std::string const& element) {
  std::vector<Shape> shapes{{1, 1, 4000000}, {8, 8, 200000}, {60, 60, 60000}, {128, 128, 16384}};
  if (settings().smoke()) shapes = {{2, 3, 9000}};
  for (Shape const& shape : shapes) add_shape<T>("deep/" + element, shape);
}

template <class T>
void add_sweep(std::string const& element) {
  std::int64_t const last = settings().smoke() ? 3 : 512;
  std::int64_t const step = settings().scale == Scale::quick ? 32 : 1;
  // Less time for each: the neighbours of a point in the picture say how far to trust it.
  Settings how = settings();
  how.sample_seconds = std::min(how.sample_seconds, 1e-3);
  how.case_seconds = std::min(how.case_seconds, 0.06);
  how.most_rounds = std::min(how.most_rounds, 7);
  for (std::int64_t n = step; n <= last; n += step) add_shape<T>("sweep/" + element, square(n), how);
}

/// Beside them the documents' rungs, on the same operands.
template <class T>
Contest ladder_contest(Shape const& shape) {
  auto const p = make_host_product<T>(shape);
  Contest contest = gemm_contest(p);
  for (MatmulAlgorithm const rung : {MatmulAlgorithm::naive, MatmulAlgorithm::grid_stride, MatmulAlgorithm::tiled}) {
    auto const call = [=, exec = p->exec(), a = p->a(), b = p->b(), c = p->c()] {
      matmul(exec, 1, a, b, 0, c, {.algorithm = rung});
    };
    contest.peer(to_string(rung), timed(p->exec(), call), judge_of(p));
  }
  return contest;
}

template <class T>
void add_ladder(std::string const& element) {
  Shape const shape = square(settings().smoke() ? 16 : 1024);
  add_case("ladder/" + element + "/" + shape.name(), [shape] { return ladder_contest<T>(shape); });
}

/// A case of the user's own: element/MxNxK.
void add_own_shape(std::string const& text) {
  std::string const element = text.substr(0, text.find('/'));
  std::array<std::int64_t, 3> extents{};
  std::string rest = text.substr(std::min(text.size(), element.size() + 1));
  for (std::int64_t& extent : extents) {
    extent = number<std::int64_t>(rest.substr(0, rest.find('x')), 1, "each extent of --shape=" + text);
    rest = rest.find('x') == std::string::npos ? "" : rest.substr(rest.find('x') + 1);
  }
  if (!rest.empty()) throw std::invalid_argument("--shape=" + text + " has more than three extents");
  Shape const shape{extents[0], extents[1], extents[2]};
  if (element == "double") {
    add_shape<double>("shape/" + element, shape);
  } else if (element == "float") {
    add_shape<float>("shape/" + element, shape);
  } else if (element == "complex<double>") {
    add_shape<Kokkos::complex<double>>("shape/" + element, shape);
  } else if (element == "complex<float>") {
    add_shape<Kokkos::complex<float>>("shape/" + element, shape);
  } else {
    throw std::invalid_argument("--shape=" + text + ": the element must be double, float, complex<double> or " +
                                "complex<float>");
  }
}

/// Say in the report which peers there are, and how their threads do.
void describe_peers() {
  JsonObject& context = program().context;
  for (Blas const* const blas : Blas::all()) {
    std::string const speedup =
        thread_speedup([=](int threads) { blas->set_threads(threads); },
                       [=](double const* a, double const* b, double* c, int n) { blas->multiply(n, n, n, a, b, c); });
    context.add("peer:" + blas->name(), blas->description() + speedup);
  }
#if defined(PANTILE_PERF_EIGEN)
  context.add(
      "peer:eigen",
      eigen::description() + thread_speedup(eigen::set_threads, [](double const* a, double const* b, double* c, int n) {
        eigen::multiply<double>(n, n, n, a, b, c);
      }));
#endif
#if defined(PANTILE_PERF_KOKKOS_KERNELS)
  context.add("peer:kokkos_kernels", "KokkosBlas::gemm");
#endif
}

bool const registered = on_start([] {
  if (!settings().smoke()) describe_peers();
  program().context.add("copy", best_copy(settings().smoke() ? 1 << 16 : 1 << 28));  // the memory's roof
  auto const shapes = std::exchange(program().shapes, {});
  for (std::string const& shape : shapes) add_own_shape(shape);
  if (!shapes.empty()) return;
  add_squares<double>("double");
  add_squares<float>("float");
  add_squares<Kokkos::complex<double>>("complex<double>");
  add_squares<Kokkos::complex<float>>("complex<float>");
  add_skinny<double>("double");
  add_skinny<float>("float");
  add_deep<double>("double");
  add_deep<float>("float");
  add_sweep<double>("double");
  add_sweep<float>("float");
  add_ladder<double>("double");
  add_ladder<float>("float");
});

}  // namespace

}  // namespace pantile::perf
