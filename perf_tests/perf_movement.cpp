// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  transpose and add, which move more than they compute, beside their peers and against copies of as many bytes.
#include <peers/blas.hpp>
#include <peers/eigen.hpp>
#include <peers/machine.hpp>
#include <support/contest.hpp>
#include <support/operands.hpp>
#include <support/settings.hpp>
#include <support/twin.hpp>

#include <pantile/add.hpp>
#include <pantile/transpose.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// The library names no 16-bit element; a user's own specialisation makes one.
template <>
struct pantile::element_traits<std::int16_t>
    : pantile::impl::ElementTraitsBase<std::int16_t, pantile::ElementKind::integer, std::int32_t, std::uint32_t> {
  static constexpr char const* name = "int16";
};

namespace {

using pantile::perf::Blas;
using pantile::perf::Contest;
using pantile::perf::Host;
using pantile::perf::HostMatrix;
using pantile::perf::random_host_matrix;
using pantile::perf::settings;
using pantile::perf::timed;
using pantile::perf::Verdict;

struct Extents {
  std::int64_t rows, cols;
  [[nodiscard]] double count() const { return static_cast<double>(rows) * static_cast<double>(cols); }
  [[nodiscard]] std::string name() const { return std::to_string(rows) + "x" + std::to_string(cols); }
};

/// Is every b(j, i) = a(i, j)?
template <class ViewA, class ViewB>
Verdict transposed(ViewA const& a, ViewB const& b) {
  return [=] {
    auto const rows = static_cast<std::int64_t>(b.extent(0)), cols = static_cast<std::int64_t>(b.extent(1));
    auto const differs = [=](std::int64_t i, std::int64_t j) { return !(b(i, j) == a(j, i)); };
    return pantile::perf::wrong_elements(pantile::perf::count_if(rows, cols, differs), rows, cols);
  };
}

template <class T>
void transpose_contest(benchmark::State& state, Extents const& e) {
  using Std = typename pantile::perf::Twin<T>::type;
  auto const a = random_host_matrix<T>("A", e.rows, e.cols, 1);
  HostMatrix<T> const b(Kokkos::view_alloc(Kokkos::WithoutInitializing, "B"), e.cols, e.rows);
  auto const* const from = reinterpret_cast<Std const*>(a.data());
  auto* const to = reinterpret_cast<Std*>(b.data());
  Contest contest("GB/s", 2e-9 * e.count() * sizeof(T));
  contest.before_first_call([=] { pantile::perf::spoil(b); });
  contest.own(timed([=, exec = Host()] { pantile::transpose(exec, a, b); }), transposed(a, b));
  if constexpr (pantile::perf::BlasElement<Std>) {
    if (Blas const* const blas = Blas::openblas()) {
      contest.peer("openblas_omatcopy", timed([=] { blas->transpose(e.rows, e.cols, from, to); }), transposed(a, b));
    }
  }
#if defined(PANTILE_PERF_EIGEN)
  // Fetch behind omatcopy on large matrices, where it would take most of the case's time.
  if (!pantile::perf::BlasElement<Std> || a.size() * sizeof(T) < (std::size_t(1) << 27)) {
    contest.peer("eigen", timed([=] { pantile::perf::eigen::transpose(e.rows, e.cols, from, to); }), transposed(a, b));
  }
#endif
  pantile::perf::add_copies(contest, to, from, a.size() * sizeof(T));
  contest.run(state, settings());
}

template <class T>
void in_place_contest(benchmark::State& state, std::int64_t n) {
  auto const original = random_host_matrix<T>("original", n, n, 1);
  HostMatrix<T> const a(Kokkos::view_alloc(Kokkos::WithoutInitializing, "A"), n, n);
  Contest contest("GB/s", 2e-9 * static_cast<double>(n) * static_cast<double>(n) * sizeof(T));
  contest.before_first_call([=] { Kokkos::deep_copy(a, original); });
  contest.own(timed([=, exec = Host()] { pantile::transpose(exec, a); }), transposed(original, a));
  if (Blas const* const blas = Blas::openblas()) {
    contest.peer("openblas_imatcopy", timed([=] { blas->transpose_in_place(n, a.data()); }), transposed(original, a));
  }
  pantile::perf::add_copies(contest, a.data(), original.data(), a.size() * sizeof(T));
  contest.run(state, settings());
}

/// \param  padding  elements behind each row; with some, the peers go row by row
template <class T>
void add_contest(benchmark::State& state, Extents const& e, std::int64_t padding) {
  auto const part = [&](HostMatrix<T> const& whole) {
    return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, e.cols));
  };
  std::int64_t const stride = e.cols + padding;
  HostMatrix<T> const whole_a = random_host_matrix<T>("A", e.rows, stride, 1);
  HostMatrix<T> const whole_b = random_host_matrix<T>("B", e.rows, stride, 2);
  HostMatrix<T> const whole_c("C", e.rows, stride), expected("expected", e.rows, stride);
  auto const a = part(whole_a), b = part(whole_b), c = part(whole_c);
  T const alpha(1.5), beta(-0.5);
  Contest contest("GB/s", 3e-9 * e.count() * sizeof(T));
  contest.before_first_call([=] { pantile::perf::spoil(whole_c); });
  contest.own(timed([=, exec = Host()] { pantile::add(exec, alpha, a, beta, b, c); }), [=] {
    Kokkos::deep_copy(expected, whole_c);
    return std::string();
  });
  // beta b is exact; alpha a, below 1.5, is rounded or fused; the sum, below 2, is rounded: each of two right results
  // is wrong by less than 2 eps.
  double const bound = 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
  Verdict const verdict = [=] { return pantile::perf::compare(c, part(expected), bound); };
  auto const by = [=](auto sum) {
    std::size_t const rows = padding == 0 ? 1 : static_cast<std::size_t>(e.rows);
    std::size_t const length = c.size() / rows;
    return timed([=, from_a = a.data(), from_b = b.data(), to = c.data()] {
      pantile::perf::on_all_threads(rows == 1 ? length : rows, rows == 1 ? 1024 : 1,
                                    [=](std::size_t begin, std::size_t end) {
                                      if (rows == 1)
                                        sum(to + begin, from_a + begin, from_b + begin, alpha, beta, end - begin);
                                      for (std::size_t row = begin; rows > 1 && row < end; ++row) {
                                        std::size_t const first = row * static_cast<std::size_t>(stride);
                                        sum(to + first, from_a + first, from_b + first, alpha, beta, length);
                                      }
                                    });
    });
  };
  contest.peer("stream_add", by(pantile::perf::machine::stream_add<T>), verdict);
  contest.peer("cached_add", by(pantile::perf::machine::add<T>), verdict);
  pantile::perf::add_copies(contest, whole_c.data(), whole_a.data(), whole_a.size() * sizeof(T));
  contest.run(state, settings());
}

template <class T>
void add_transposes(std::string const& element, std::vector<Extents> const& shapes) {
  for (Extents const& e : shapes) {
    pantile::perf::add_case("transpose/" + element + "/" + e.name(),
                            [e](benchmark::State& state) { transpose_contest<T>(state, e); });
  }
}

template <class T>
void add_in_place(std::string const& element, std::vector<std::int64_t> const& edges) {
  for (std::int64_t const n : edges) {
    pantile::perf::add_case("transpose_in_place/" + element + "/" + Extents{n, n}.name(),
                            [n](benchmark::State& state) { in_place_contest<T>(state, n); });
  }
}

template <class T>
void add_sums(std::string const& element, std::vector<Extents> const& shapes, std::int64_t padding) {
  for (Extents const& e : shapes) {
    pantile::perf::add_case("add/" + element + "/" + e.name() + (padding == 0 ? "" : "_padded"),
                            [e, padding](benchmark::State& state) { add_contest<T>(state, e, padding); });
  }
}

bool const registered = pantile::perf::on_start([] {
  bool const full = settings().full(), smoke = settings().smoke();
  std::vector<Extents> const square{smoke ? Extents{33, 33} : full ? Extents{8192, 8192} : Extents{4096, 4096}};
  std::vector<Extents> shapes = square;
  if (smoke) shapes = {{33, 17}};
  if (full) shapes = {{8192, 8192}, {4093, 8209}, {4099, 4099}, {1000003, 7}, {7, 1000003}, {512, 512}};
  add_transposes<std::int8_t>("1_byte", square);
  add_transposes<std::int16_t>("2_bytes", square);
  add_transposes<float>("4_bytes", shapes);
  add_transposes<double>("8_bytes", shapes);
  add_transposes<Kokkos::complex<double>>("16_bytes", square);
  std::vector<std::int64_t> edges{square.front().rows};
  if (full) edges.push_back(4099);
  add_in_place<float>("4_bytes", edges);
  add_in_place<double>("8_bytes", edges);
  std::vector<Extents> sums{smoke ? Extents{33, 17} : Extents{4096, 4096}};
  if (full) sums = {{8192, 8192}, {4099, 4093}, {256, 256}};
  add_sums<float>("float", sums, 0);
  add_sums<double>("double", sums, 0);
  add_sums<float>("float", {sums.front()}, 24);
  add_sums<double>("double", {sums.front()}, 24);
});

}  // namespace
