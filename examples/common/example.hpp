// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the examples share and what is not Pantile: input, printing, timing, and checking of results.

#include <common/numpy_format.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

namespace example {

/// The elements on the host: the View itself where the host can read it, else a copy.
template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
}

/// Set every element on the host by f(i) or f(i, j), and bring them to where the View lies.
template <class View, class F>
void set(View const& view, F const& f) {
  auto const host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    if constexpr (View::rank() == 1) {
      host(i) = f(i);
    } else {
      for (std::size_t j = 0; j < host.extent(1); ++j) host(i, j) = f(i, j);
    }
  }
  Kokkos::deep_copy(view, host);
}

/// np.random.random: uniform in [0, 1), the same at every run.
template <class View>
void set_random(View const& view, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  set(view, [&](auto...) { return static_cast<typename View::value_type>(uniform(engine)); });
}

/// np.arange(...).reshape(...).
template <class View>
void set_arange(View const& view) {
  std::size_t next = 0;
  set(view, [&](auto...) { return static_cast<typename View::value_type>(next++); });
}

/// As `print(array)` does, or with repr as a notebook shows the value of a cell.
template <class View>
void print(View const& view, bool repr = false) {
  auto const host = on_host(view);
  using T = typename View::non_const_value_type;
  std::string text;
  if constexpr (View::rank() == 1) {
    text = format_array<T>(1, host.extent(0), true, repr, [&](std::size_t, std::size_t j) { return host(j); });
  } else {
    text = format_array<T>(host.extent(0), host.extent(1), false, repr,
                           [&](std::size_t i, std::size_t j) { return host(i, j); });
  }
  std::printf("%s\n", text.c_str());
}

/// Wall time of f() in seconds, with all work finished before the clock starts and before it stops.
template <class F>
double seconds(F const& f) {
  Kokkos::fence("example: timing");
  Kokkos::Timer const timer;
  f();
  Kokkos::fence("example: timing");
  return timer.seconds();
}

/// The median of three.
template <class F>
double median_seconds(F const& f) {
  std::array<double, 3> times{seconds(f), seconds(f), seconds(f)};
  std::sort(times.begin(), times.end());
  return times[1];
}

/// np.dot on the host, in double precision or 64-bit integers; rows of C are walked, so that it is not the slowest way.
template <class ViewA, class ViewB>
auto dot(ViewA const& A, ViewB const& B) {
  using Wide = std::conditional_t<std::is_integral_v<typename ViewA::non_const_value_type>, long long, double>;
  auto const a = on_host(A);
  auto const b = on_host(B);
  Kokkos::View<Wide**, Kokkos::LayoutRight, Kokkos::HostSpace> const c("dot", a.extent(0), b.extent(1));
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    for (std::size_t k = 0; k < a.extent(1); ++k) {
      Wide const left = a(i, k);
      for (std::size_t j = 0; j < b.extent(1); ++j) c(i, j) += left * b(k, j);
    }
  }
  return c;
}

/// Does holds(i) or holds(i, j) for the indices of every element?
template <class View, class F>
bool every(View const& view, F const& holds) {
  for (std::size_t i = 0; i < view.extent(0); ++i) {
    if constexpr (View::rank() == 1) {
      if (!holds(i)) return false;
    } else {
      for (std::size_t j = 0; j < view.extent(1); ++j) {
        if (!holds(i, j)) return false;
      }
    }
  }
  return true;
}

/// np.allclose with atol = 0: |actual - expected| <= rtol |expected| for every element. False for NaN.
template <class View, class Expected>
bool all_close(View const& actual, Expected const& expected, double rtol) {
  auto const a = on_host(actual);
  if (a.extent(0) != expected.extent(0) || a.extent(1) != expected.extent(1)) return false;
  return every(a, [&](auto... at) {
    double const e = static_cast<double>(expected(at...));
    return std::abs(static_cast<double>(a(at...)) - e) <= rtol * std::abs(e);
  });
}

/// Is every element what f(i) or f(i, j) says? Exact.
template <class View, class F>
bool all_equal(View const& actual, F const& f) {
  auto const a = on_host(actual);
  return every(a, [&](auto... at) { return a(at...) == static_cast<typename View::non_const_value_type>(f(at...)); });
}

/// What two sums of so many products differ by at most, over the sum, in whatever order they are formed: exact for
/// integers. No product is negative (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
template <class T>
constexpr double rtol_of_sums(int products) {
  return std::is_integral_v<T> ? 0 : products * static_cast<double>(std::numeric_limits<T>::epsilon());
}

/// Collects what an example found out about itself; main returns status().
class Checks {
 public:
  void operator()(bool holds, char const* what) {
    std::printf("%s: %s\n", holds ? "ok" : "WRONG", what);
    if (!holds) m_status = EXIT_FAILURE;
  }
  [[nodiscard]] int status() const { return m_status; }

 private:
  int m_status = EXIT_SUCCESS;
};

/// \brief  The document's kernel beside the library's call, each of which writes all of `result`: are all elements
///         close, and how long does each take?
template <class View, class Kernel, class Call>
void compare(Checks& check, char const* what, View const& result, double rtol, Kernel const& kernel, Call const& call) {
  using T = typename View::non_const_value_type;
  Kokkos::deep_copy(result, static_cast<T>(-1));
  double const kernel_time = median_seconds(kernel);
  auto const by_kernel = Kokkos::create_mirror(Kokkos::HostSpace{}, result);
  Kokkos::deep_copy(by_kernel, result);
  Kokkos::deep_copy(result, static_cast<T>(-2));
  double const call_time = median_seconds(call);
  std::printf("%s: kernel %.6f s, pantile %.6f s, rtol %.1e\n", what, kernel_time, call_time, rtol);
  check(all_close(result, by_kernel, rtol), what);
}

}  // namespace example
