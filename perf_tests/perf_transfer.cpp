// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transfers beside Kokkos::deep_copy of pinned memory, which is what the bus gives, and pipelines beside their
///        copies alone and their kernels alone. On host backends copies are the memory's, and pipelines copy nothing.
///
/// Counters: bytes/s; `of_raw`, the rate over that of deep_copy between the same device memory and pinned memory;
/// `hidden`, which part of the smaller of copies and kernels the pipeline hides behind the larger. Both refer to cases
/// that ran before in the same process, and are left out where a filter did not let those run.
#include <support/measure.hpp>
#include <support/operands.hpp>
#include <support/settings.hpp>

#include <pantile/matmul.hpp>
#include <pantile/pipeline.hpp>
#include <pantile/transfer.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
using DeviceLeft = Kokkos::View<float**, Kokkos::LayoutLeft, Exec>;
using Pageable = pantile::perf::HostMatrix<float>;
using Pinned = pantile::PinnedView<float**>;

/// Median seconds of the cases that have run.
std::map<std::string, double>& medians() {
  static std::map<std::string, double> all;
  return all;
}

double median_of(std::string const& name) {
  auto const found = medians().find(name);
  return found == medians().end() ? 0.0 : found->second;
}

/// As pantile::perf::measure, and remembers the median.
template <class Work>
void measure(benchmark::State& state, std::string const& name, Work const& work) {
  Exec const exec;
  work(exec);
  std::vector<double> seconds;
  for ([[maybe_unused]] auto _ : state) {
    Kokkos::fence("pantile::perf: before");
    auto const begin = std::chrono::steady_clock::now();
    work(exec);
    exec.fence("pantile::perf: after");
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    state.SetIterationTime(seconds.back());
  }
  std::sort(seconds.begin(), seconds.end());
  medians()[name] = seconds[seconds.size() / 2];
}

template <class Work>
void add(std::string const& name, Work const& body) {
  auto* const made =
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { body(state, name); })->UseManualTime();
  // As many as are said: the library would try, and each trial makes its operands anew.
  made->Iterations(pantile::perf::settings().smoke() ? 2 : 11);
}

struct Shape {
  std::int64_t rows, cols;
  [[nodiscard]] double bytes() const { return static_cast<double>(rows * cols) * sizeof(float); }
};

Shape copied_shape() {
  auto const& s = pantile::perf::settings();
  return s.smoke() ? Shape{300, 1024} : s.full() ? Shape{64 * 1024, 1024} : Shape{16 * 1024, 1024};
}

template <class Matrix>
Matrix make(Shape shape) {
  Matrix const made(Kokkos::view_alloc(Kokkos::WithoutInitializing, "matrix"), shape.rows, shape.cols);
  if constexpr (bool(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Matrix::memory_space>::accessible)) {
    pantile::perf::fill_random(made, 1);
  } else {
    auto const host = make<Pageable>(shape);
    pantile::copy(Exec{}, made, host);
    Exec{}.fence();
  }
  return made;
}

/// Are host and device alike, when the one that is to be written was zero before the copy?
template <class HostSide, class DeviceSide, class Copy>
bool arrives(HostSide const& host, DeviceSide const& device, bool to_device, Copy const& copy) {
  Exec const exec;
  if (to_device) {
    Kokkos::deep_copy(exec, device, 0.0F);
  } else {
    exec.fence();
    for (std::int64_t i = 0; i < host.extent_int(0); ++i) std::fill_n(&host(i, 0), host.extent(1), 0.0F);
  }
  copy(exec);
  exec.fence();
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, device);
  double magnitude = 0;
  for (std::int64_t i = 0; i < host.extent_int(0); ++i) {
    for (std::int64_t j = 0; j < host.extent_int(1); ++j) {
      if (host(i, j) != found(i, j)) return false;
      magnitude += std::abs(host(i, j));
    }
  }
  return magnitude > 0;
}

/// Some elements of C = A W against sums in double.
template <class Matrix>
bool multiplies(Matrix const& a, Device const& w, Matrix const& c) {
  auto const factor = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, w);
  std::int64_t const rows = c.extent_int(0), n = c.extent_int(1);
  for (std::int64_t s = 0; s < 64; ++s) {
    std::int64_t const i = s == 0 ? rows - 1 : s * rows / 64, j = (s * 37 + 5) % n;
    double sum = 0, squares = 0;
    for (std::int64_t l = 0; l < n; ++l) {
      double const product = double{a(i, l)} * double{factor(l, j)};
      sum += product;
      squares += product * product;
    }
    if (!(std::abs(c(i, j) - sum) <= 1e-6 * std::sqrt(static_cast<double>(n) * squares))) return false;
  }
  return true;
}

/// The right part of a wider matrix: rows with a gap between them.
struct Padded {
  static auto make_view(Shape shape) {
    auto const wide = make<Pageable>({shape.rows, shape.cols + 32});
    return Kokkos::subview(wide, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(32, shape.cols + 32));
  }
};
template <class Matrix>
struct Whole {
  static auto make_view(Shape shape) { return make<Matrix>(shape); }
};

/// deep_copy and pantile::copy, to the device and back.
template <class HostSide, class DeviceSide>
void add_copies(std::string const& kind, bool with_raw) {
  auto const body = [](bool to_device, bool raw) {
    return [=](benchmark::State& state, std::string const& name) {
      Shape const shape = copied_shape();
      auto const host = HostSide::make_view(shape);
      DeviceSide const device = make<DeviceSide>(shape);
      auto const deep = [&](Exec const& exec, auto const& to, auto const& from) { Kokkos::deep_copy(exec, to, from); };
      auto const own = [&](Exec const& exec, auto const& to, auto const& from) { pantile::copy(exec, to, from); };
      auto const both = [&](auto const& copy) {
        measure(state, name,
                [&](Exec const& exec) { to_device ? copy(exec, device, host) : copy(exec, host, device); });
      };
      if constexpr (std::is_same_v<DeviceSide, Device> && !std::is_same_v<HostSide, Padded>) {
        raw ? both(deep) : both(own);
      } else {
        both(own);
      }
      auto const once = [&](Exec const& exec) { to_device ? own(exec, device, host) : own(exec, host, device); };
      if (!raw && !arrives(host, device, to_device, once))
        return state.SkipWithError("the copy is not what was copied");
      pantile::perf::count_bytes(state, shape.bytes());
      double const best = median_of(to_device ? "transfer/h2d/pinned/raw" : "transfer/d2h/pinned/raw");
      if (best > 0) state.counters["of_raw"] = best / median_of(name);
    };
  };
  for (bool const to_device : {true, false}) {
    std::string const prefix = std::string("transfer/") + (to_device ? "h2d/" : "d2h/") + kind;
    if (with_raw) add(prefix + "/raw", body(to_device, true));
    add(prefix + "/pantile", body(to_device, false));
  }
}

/// C = A W for wide A and C that travel in chunks, and W that stays.
template <class Matrix>
void add_pipelines(std::string const& kind, std::int64_t n) {
  auto const& s = pantile::perf::settings();
  std::int64_t const elements = s.smoke() ? 1 << 16 : s.full() ? 1 << 26 : 1 << 24;
  Shape const shape{elements / n, n};
  std::string const prefix = "transfer/pipeline/" + kind + "/" + std::to_string(n) + "/";
  auto const product = [](Device const& w) {
    return [w](Exec const& q, auto const& a, auto const& c, std::int64_t) { pantile::matmul(q, 1.0f, a, w, 0.0f, c); };
  };
  add(prefix + "copy_only", [=](benchmark::State& state, std::string const& name) {
    auto const a = make<Matrix>(shape), c = make<Matrix>(shape);
    measure(state, name, [&](Exec const& exec) { pantile::pipeline(exec, a, c, [](auto const&...) {}); });
    pantile::perf::count_bytes(state, 2 * shape.bytes());
  });
  add(prefix + "compute_only", [=](benchmark::State& state, std::string const& name) {
    auto const a = make<Device>(shape), c = make<Device>(shape), w = make<Device>({n, n});
    auto const body = product(w);
    auto const empty = [&] { return Matrix(Kokkos::view_alloc(Kokkos::WithoutInitializing, "empty"), shape.rows, n); };
    auto const report = pantile::explain::pipeline(Exec{}, empty(), empty(), body);  // how the others cut
    measure(state, name, [&](Exec const& exec) {
      pantile::pipeline(exec, a, c, body, {.chunk_rows = report.chunk_rows});  // nothing travels: one instance
    });
    pantile::perf::count_flops(state, 2.0 * static_cast<double>(shape.rows * n) * static_cast<double>(n));
  });
  for (int const depth : {1, 2, 3}) {
    add(prefix + "depth" + std::to_string(depth), [=](benchmark::State& state, std::string const& name) {
      auto const a = make<Matrix>(shape), c = make<Matrix>(shape);
      auto const w = make<Device>({n, n});
      auto const body = product(w);
      measure(state, name, [&](Exec const& exec) { pantile::pipeline(exec, a, c, body, {.depth = depth}); });
      if (!multiplies(a, w, c)) return state.SkipWithError("C is not A W");
      pantile::perf::count_bytes(state, 2 * shape.bytes());
      double const copies = median_of(prefix + "copy_only"), kernels = median_of(prefix + "compute_only");
      bool const copied = pantile::explain::pipeline(Exec{}, a, c, body).bytes_in > 0;
      if (copied && copies > 0 && kernels > 0) {
        state.counters["hidden"] = (copies + kernels - median_of(name)) / std::min(copies, kernels);
      }
    });
  }
}

bool const registered = pantile::perf::on_start([] {
  add_copies<Whole<Pinned>, Device>("pinned", true);
  add_copies<Whole<Pageable>, Device>("pageable", true);
  add_copies<Padded, Device>("pageable_padded", false);
  add_copies<Whole<Pinned>, DeviceLeft>("pinned_turned", false);
  add_copies<Whole<Pageable>, DeviceLeft>("pageable_turned", false);
  for (std::int64_t const n :
       pantile::perf::settings().smoke() ? std::vector<std::int64_t>{64} : std::vector<std::int64_t>{1024, 4096}) {
    add_pipelines<Pinned>("pinned", n);
    add_pipelines<Pageable>("pageable", n);
  }
});

}  // namespace
