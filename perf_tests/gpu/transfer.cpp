// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transfers beside Kokkos::deep_copy, of the same memory and of pinned memory, which is what the bus gives; and
///        pipelines beside their copies alone and their kernels alone. On host backends copies are the memory's, and
///        pipelines copy nothing.
#include <gpu/gemm.hpp>

#include <pantile/pipeline.hpp>
#include <pantile/transfer.hpp>

namespace pantile::perf {

namespace {

using Pageable = HostMatrix<float>;
using Pinned = PinnedView<float**>;
using DeviceRows = Matrix<float>;

template <class View>
View make(std::int64_t rows, std::int64_t cols) {
  View const made(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::matrix"), rows, cols);
  if constexpr (bool(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible)) {
    fill_random(Host(), made, 1);
  } else {
    fill_random(Exec(), made, 1);
  }
  Kokkos::fence("pantile::perf: operands");
  return made;
}

/// The right part of a wider matrix: rows with a gap between them.
auto make_padded(std::int64_t rows, std::int64_t cols) {
  return Kokkos::subview(make<Pageable>(rows, cols + 32), Kokkos::ALL,
                         std::pair<std::int64_t, std::int64_t>(32, cols + 32));
}

template <class ViewA, class ViewB>
struct Unlike {
  ViewA a;
  ViewB b;
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t j) const { return !(a(i, j) == b(i, j)); }
};

/// Are host and device alike, element by element and nowhere NaN?
template <class HostSide, class DeviceSide>
Verdict arrived(HostSide const& host, DeviceSide const& device) {
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, device);
  return none_differs(Host(), host.extent_int(0), host.extent_int(1),
                      Unlike<HostSide, std::remove_const_t<decltype(found)>>{host, found});
}

/// pantile::copy to the device, or back, and deep_copy where it takes such memory.
template <class HostSide, class DeviceSide>
Contest copy_contest(HostSide const& host, DeviceSide const& device, bool to_device) {
  Exec const exec;
  auto const pinned = make<Pinned>(host.extent_int(0), host.extent_int(1));
  auto const rows = make<DeviceRows>(host.extent_int(0), host.extent_int(1));
  auto const judge = [=] { return arrived(host, device); };
  double const amount = 1e-9 * sizeof(float) * static_cast<double>(host.size());
  Contest contest("GB/s", amount);
  contest.before_judged_call([=] {
    if (to_device) {
      spoil(exec, device);
    } else {
      spoil(Host(), host);
    }
    Kokkos::fence("pantile::perf: spoilt");
  });
  contest.own(timed(exec, [=] { to_device ? copy(exec, device, host) : copy(exec, host, device); }), judge);
  auto const deep = [=](auto const& here, auto const& there) {
    return timed(exec,
                 [=] { to_device ? Kokkos::deep_copy(exec, there, here) : Kokkos::deep_copy(exec, here, there); });
  };
  if constexpr (std::is_same_v<typename HostSide::array_layout, typename DeviceSide::array_layout>) {
    if (host.span_is_contiguous()) contest.peer("deep_copy", deep(host, device), judge);
  }
  contest.bound("raw copy", deep(pinned, rows), amount);
  return contest;
}

/// \param  make_host  (rows, cols)
template <class Layout, class MakeHost>
void add_copies(std::string const& kind, MakeHost const& make_host) {
  for (bool const to_device : {true, false}) {
    add_case(std::string("transfer/") + (to_device ? "h2d/" : "d2h/") + kind, [=] {
      std::int64_t const cols = 1024, rows = settings().smoke() ? 300 : settings().full() ? 64 * 1024 : 16 * 1024;
      return copy_contest(make_host(rows, cols), make<Matrix<float, Exec, Layout>>(rows, cols), to_device);
    });
  }
}

/// \brief  C = A W for A and C that travel in chunks, and W that stays; beside the chunks' copies alone and, where
///         nothing travels, their kernels alone. `hidden`: how much of the shorter of the two the pipeline hides.
template <class View>
Contest pipeline_contest(std::int64_t n) {
  Exec const exec;
  std::int64_t const elements = settings().smoke() ? 1 << 16 : settings().full() ? 1 << 26 : 1 << 24;
  auto const p = std::make_shared<Product<Exec, float>>(exec, Shape{elements / n, n, n});
  auto const a = make<View>(elements / n, n), c = make<View>(elements / n, n);
  Kokkos::deep_copy(a, p->a());
  auto const body = [w = p->b()](Exec const& q, auto const& rows, auto const& results, std::int64_t) {
    matmul(q, 1, rows, w, 0, results);
  };
  auto const plan = explain::pipeline(exec, a, c, body);
  Judge const judge = [=] {
    Kokkos::deep_copy(p->c(), c);
    return p->judge();
  };
  double const amount = 2e-9 * sizeof(float) * static_cast<double>(elements);
  Contest contest("GB/s", amount);
  contest.before_judged_call([=] {
    p->spoil_results();
    spoil(Host(), c);
    Kokkos::fence("pantile::perf: spoilt");
  });
  contest.plan(to_string(plan));
  contest.own(timed(exec, [=] { pipeline(exec, a, c, body); }), judge);
  for (int const depth : {1, 2}) {
    contest.peer("depth_" + std::to_string(depth), timed(exec, [=] { pipeline(exec, a, c, body, {.depth = depth}); }),
                 judge);
  }
  // Cut as the others; nothing travels: one instance.
  contest.peer("kernels", timed(exec, [=] { pipeline(exec, p->a(), p->c(), body, {.chunk_rows = plan.chunk_rows}); }),
               judge_of(p));
  contest.bound("copies", timed(exec, [=] { pipeline(exec, a, c, [](auto const&...) {}); }), amount);
  if (plan.bytes_in > 0) {
    contest.figure("hidden", [](Contest const& it) {
      double const copies = it.seconds("copies"), kernels = it.seconds("kernels");
      return (copies + kernels - it.seconds("pantile")) / std::min(copies, kernels);
    });
  }
  return contest;
}

bool const transfer_registered = on_start([] {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  add_copies<LayoutRight>("pinned", make<Pinned>);
  add_copies<LayoutRight>("pageable", make<Pageable>);
  add_copies<LayoutRight>("pageable_padded", make_padded);
  add_copies<LayoutLeft>("pinned_transposed", make<Pinned>);
  add_copies<LayoutLeft>("pageable_transposed", make<Pageable>);
  for (std::int64_t const n :
       settings().smoke() ? std::vector<std::int64_t>{64} : std::vector<std::int64_t>{1024, 4096}) {
    add_case("transfer/pipeline/pinned_" + std::to_string(n), [n] { return pipeline_contest<Pinned>(n); });
    add_case("transfer/pipeline/pageable_" + std::to_string(n), [n] { return pipeline_contest<Pageable>(n); });
  }
});

}  // namespace

}  // namespace pantile::perf
