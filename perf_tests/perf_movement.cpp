// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  transpose, add, copy and fill, which move more than they compute, beside their peers and against copies of as
///        many bytes.
#include <peers/blas.hpp>
#include <peers/eigen.hpp>
#include <peers/machine.hpp>
#include <support/operands.hpp>
#include <support/twin.hpp>

#include <pantile/add.hpp>
#include <pantile/fill.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <algorithm>

namespace pantile::perf {

namespace {

struct Extents {
  std::int64_t rows, cols;
  [[nodiscard]] double count() const { return static_cast<double>(rows) * static_cast<double>(cols); }
  [[nodiscard]] std::string name() const { return std::to_string(rows) + "x" + std::to_string(cols); }
};

template <class T>
Contest transpose_contest(Extents const& e) {
  using Std = typename Twin<T>::type;
  Host const exec;
  auto const a = random_matrix<T>(exec, e.rows, e.cols, 1), b = make_matrix<T, Host>(e.cols, e.rows);
  auto* const from = twin(a.data());
  auto* const to = twin(b.data());
  auto const judge = [=] { return transposed(exec, a, b); };
  Contest contest("GB/s", 2e-9 * e.count() * sizeof(T));
  contest.before_judged_call([=] { spoil(exec, b); });
  contest.own(timed(exec, [=] { transpose(exec, a, b); }), judge);
  if constexpr (BlasElement<Std>) {
    for (Blas const* const blas : Blas::with_transposes()) {
      contest.peer(blas->name() + "_omatcopy", timed(exec, [=] { blas->transpose(e.rows, e.cols, from, to); }), judge);
    }
  }
#if defined(PANTILE_PERF_EIGEN)
  // Far behind omatcopy on large matrices, where it would take most of the case's time.
  if (!BlasElement<Std> || a.size() * sizeof(T) < (std::size_t(1) << 27)) {
    contest.peer("eigen", timed(exec, [=] { eigen::transpose<Std>(e.rows, e.cols, from, to); }), judge);
  }
#endif
  add_copies(contest, to, from, a.size() * sizeof(T));
  return contest;
}

template <class T>
Contest in_place_contest(std::int64_t n) {
  Host const exec;
  auto const original = random_matrix<T>(exec, n, n, 1), a = make_matrix<T, Host>(n, n);
  auto const judge = [=] { return transposed(exec, original, a); };
  Contest contest("GB/s", 2e-9 * static_cast<double>(n) * static_cast<double>(n) * sizeof(T));
  contest.before_judged_call([=] { Kokkos::deep_copy(a, original); });
  contest.own(timed(exec, [=] { transpose(exec, a); }), judge);
  for (Blas const* const blas : Blas::with_transposes()) {
    contest.peer(blas->name() + "_imatcopy", timed(exec, [=] { blas->transpose_in_place(n, a.data()); }), judge);
  }
  add_copies(contest, a.data(), original.data(), a.size() * sizeof(T));
  return contest;
}

/// \param  padding  elements behind each row; with some, the peers go row by row
template <class T>
Contest add_contest(Extents const& e, std::int64_t padding) {
  Host const exec;
  std::int64_t const stride = e.cols + padding;
  auto const whole_a = random_matrix<T>(exec, e.rows, stride, 1), whole_b = random_matrix<T>(exec, e.rows, stride, 2);
  auto const whole_c = make_matrix<T, Host>(e.rows, stride);
  auto const part = [&](HostMatrix<T> const& whole) {
    return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, e.cols));
  };
  auto const a = part(whole_a), b = part(whole_b), c = part(whole_c);
  T const alpha(1.5), beta(-0.5);
  Contest contest("GB/s", 3e-9 * e.count() * sizeof(T));
  contest.before_judged_call([=] { spoil(exec, whole_c); });
  // beta b is exact; alpha a, below 1.5, is rounded or fused; the sum, below 2, is rounded: each of two right results
  // is wrong by less than 2 eps.
  auto const differs = [=](std::int64_t i, std::int64_t j) {
    T const sum = alpha * a(i, j) + beta * b(i, j);
    return !(std::abs(c(i, j) - sum) <= 4 * std::numeric_limits<T>::epsilon());
  };
  auto const judge = [=] { return none_differs(exec, e.rows, e.cols, differs); };
  contest.own(timed(exec, [=] { add(exec, alpha, a, beta, b, c); }), judge);
  auto const by = [=](auto sum) {
    std::size_t const rows = padding == 0 ? 1 : static_cast<std::size_t>(e.rows);
    std::size_t const length = c.size() / rows;
    return timed(exec, [=, from_a = a.data(), from_b = b.data(), to = c.data()] {
      on_all_threads(rows == 1 ? length : rows, rows == 1 ? 1024 : 1, [=](std::size_t begin, std::size_t end) {
        if (rows == 1) sum(to + begin, from_a + begin, from_b + begin, alpha, beta, end - begin);
        for (std::size_t row = begin; rows > 1 && row < end; ++row) {
          std::size_t const first = row * static_cast<std::size_t>(stride);
          sum(to + first, from_a + first, from_b + first, alpha, beta, length);
        }
      });
    });
  };
  contest.peer("stream_add", by(machine::stream_add<T>), judge);
  contest.peer("cached_add", by(machine::add<T>), judge);
  add_copies(contest, whole_c.data(), whole_a.data(), whole_a.size() * sizeof(T));
  return contest;
}

/// B runs across A and C: beside a plain loop, and the addition of operands that all run along C's rows.
template <class T>
Contest across_contest(Extents const& e) {
  Host const exec;
  auto const a = random_matrix<T>(exec, e.rows, e.cols, 1), along = random_matrix<T>(exec, e.rows, e.cols, 2);
  auto const c = make_matrix<T, Host>(e.rows, e.cols);
  Kokkos::View<T**, Kokkos::LayoutLeft, Host> const b("b", e.rows, e.cols);
  Kokkos::deep_copy(b, along);
  T const alpha(1.5), beta(-0.5);
  Contest contest("GB/s", 3e-9 * e.count() * sizeof(T));
  contest.before_judged_call([=] { spoil(exec, c); });
  auto const judge = [=] {
    return none_differs(exec, e.rows, e.cols, [=](std::int64_t i, std::int64_t j) {
      T const sum = alpha * a(i, j) + beta * b(i, j);
      return !(std::abs(c(i, j) - sum) <= 4 * std::numeric_limits<T>::epsilon());
    });
  };
  contest.own(timed(exec, [=] { add(exec, alpha, a, beta, b, c); }), judge);
  auto const loop = [=, from_a = a.data(), from_b = b.data(), to = c.data()] {
    on_all_threads(static_cast<std::size_t>(e.rows), 1, [=](std::size_t begin, std::size_t end) {
      auto const rows = static_cast<std::size_t>(e.rows), cols = static_cast<std::size_t>(e.cols);
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = 0; j < cols; ++j)
          to[i * cols + j] = alpha * from_a[i * cols + j] + beta * from_b[j * rows + i];
      }
    });
  };
  contest.peer("loop", timed(exec, loop), judge);
  contest.peer("add_along", timed(exec, [=] { add(exec, alpha, a, beta, along, c); }), judge);
  return contest;
}

/// A copy to the other layout, beside Kokkos' and a copy to the same one.
template <class T>
Contest copy_contest(Extents const& e) {
  Host const exec;
  auto const a = random_matrix<T>(exec, e.rows, e.cols, 1), along = make_matrix<T, Host>(e.rows, e.cols);
  Kokkos::View<T**, Kokkos::LayoutLeft, Host> const b("b", e.rows, e.cols);
  Contest contest("GB/s", 2e-9 * e.count() * sizeof(T));
  contest.before_judged_call([=] {
    Kokkos::deep_copy(along, a);  // which is held so
    Kokkos::deep_copy(b, T(-7));
  });
  auto const judge = [=] {
    return none_differs(exec, e.rows, e.cols, [=](std::int64_t i, std::int64_t j) { return !(b(i, j) == a(i, j)); });
  };
  contest.own(timed(exec, [=] { copy(exec, a, b); }), judge);
  contest.peer("kokkos_deep_copy", timed(exec, [=] { Kokkos::deep_copy(exec, b, a); }), judge);
  add_copies(contest, along.data(), a.data(), a.size() * sizeof(T));
  return contest;
}

template <class T>
Contest fill_contest(Extents const& e) {
  Host const exec;
  auto const c = make_matrix<T, Host>(e.rows, e.cols);
  Contest contest("GB/s", 1e-9 * e.count() * sizeof(T));
  contest.before_judged_call([=] { Kokkos::deep_copy(c, T(-7)); });
  auto const judge = [=] {
    return none_differs(exec, e.rows, e.cols, [=](std::int64_t i, std::int64_t j) { return !(c(i, j) == T(3)); });
  };
  contest.own(timed(exec, [=] { fill(exec, c, T(3)); }), judge);
  contest.peer("kokkos_deep_copy", timed(exec, [=] { Kokkos::deep_copy(exec, c, T(3)); }), judge);
  auto const fills = [=, to = c.data(), size = c.size()] {
    on_all_threads(size, 4096, [=](std::size_t begin, std::size_t end) { std::fill(to + begin, to + end, T(3)); });
  };
  contest.peer("std_fill", timed(exec, fills), judge);
  return contest;
}

template <class T>
void add_transposes(std::string const& element, std::vector<Extents> const& shapes) {
  for (Extents const& e : shapes) {
    add_case("transpose/" + element + "/" + e.name(), [e] { return transpose_contest<T>(e); });
  }
}

template <class T>
void add_in_place(std::string const& element, std::vector<std::int64_t> const& edges) {
  for (std::int64_t const n : edges) {
    add_case("transpose_in_place/" + element + "/" + Extents{n, n}.name(), [n] { return in_place_contest<T>(n); });
  }
}

template <class T>
void add_sums(std::string const& element, std::vector<Extents> const& shapes, std::int64_t padding) {
  for (Extents const& e : shapes) {
    add_case("add/" + element + "/" + e.name() + (padding == 0 ? "" : "_padded"),
             [e, padding] { return add_contest<T>(e, padding); });
  }
}

bool const registered = on_start([] {
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
  std::vector<Extents> across{smoke ? Extents{33, 17} : Extents{1000, 1000}};
  if (!smoke) across.push_back({300, 300});
  if (full) across.push_back({4099, 4093});
  for (Extents const& e : across) {
    add_case("add_across/float/" + e.name(), [e] { return across_contest<float>(e); });
    add_case("add_across/double/" + e.name(), [e] { return across_contest<double>(e); });
    add_case("copy_across/2_bytes/" + e.name(), [e] { return copy_contest<std::int16_t>(e); });
    add_case("copy_across/8_bytes/" + e.name(), [e] { return copy_contest<double>(e); });
    add_case("fill/1_byte/" + e.name(), [e] { return fill_contest<std::int8_t>(e); });
    add_case("fill/8_bytes/" + e.name(), [e] { return fill_contest<double>(e); });
  }
});

}  // namespace

}  // namespace pantile::perf
