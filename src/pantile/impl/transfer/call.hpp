// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's Views to a checked problem and its report; types and memory of the Views that are returned.

#include <pantile/concepts.hpp>
#include <pantile/impl/transfer/route.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/policy.hpp>
#include <pantile/transfer_report.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>

namespace pantile::impl::transfer {

/// For the overloads that take any arguments: do not compile, and say why.
template <class... Arguments>
constexpr void refuse_arguments() {
  refuse_no_views<Arguments...>();
  static_assert(
      has_no_views<Arguments...>,
      "pantile: no transfer of these arguments: they are ([instance,] destination, source[, options]) of copy, "
      "(instance, View) or (instance, destination, source) of the others; Views of rank 1 or 2 with LayoutRight, "
      "LayoutLeft or LayoutStride, of one rank and one trivially copyable type; the one that is written has "
      "no const elements");
}
template <class... Arguments>
constexpr void refuse_pipeline() {
  refuse_no_views<Arguments...>();
  static_assert(
      has_no_views<Arguments...>,
      "pantile: no pipeline of these arguments: they are (instance or instances, a std::tuple of in(View), "
      "out(View) and inout(View), body[, options]) or (instance, source, destination, body[, options]), Views "
      "that copy takes, and the elements of the destination are not const");
}

template <class Exec, class ViewTo, class ViewFrom>
using RouteFor =
    Route<Exec, typename ViewTo::value_type, typename ViewTo::memory_space, typename ViewFrom::memory_space>;

/// What kernels do with an array of a scope or a pipeline.
enum class Role { in, out, inout };

/// Such an array, as the overlap of two sees it.
struct ArrayInUse {
  Footprint print;
  bool on_device, written;

  /// Addresses on a device and on the host do not compare.
  [[nodiscard]] bool clashes_with(ArrayInUse const& other) const {
    return (written || other.written) && on_device == other.on_device && share_memory(print, other.print);
  }
};

template <class View>
ArrayInUse array_in_use(Checker const& check, View const& array, bool written) {
  auto const matrix = to_matrix(array);
  check.memory("array", array);
  if (written) check.distinct("array", matrix);
  return {footprint(matrix), memory_kind<typename View::memory_space>() == Memory::device, written};
}

/// Refuse a View without memory, by its role.
template <class View>
void check_memory(char const* operation, char const* name, View const& view, std::source_location where) {
  Checker(operation, where, [&] { return describe(name, view); }).memory(name, view);
}

/// Check what can be wrong with two Views, and normalise them.
template <class ViewTo, class ViewFrom>
Problem<typename ViewTo::value_type> checked_problem(char const* operation, ViewTo const& destination,
                                                     ViewFrom const& source, std::source_location where,
                                                     TransferOptions const& options = {}) {
  using T = typename ViewTo::value_type;
  Checker const check(operation, where,
                      [&] { return describe("destination", destination) + ", " + describe("source", source); });
  Problem<T> const p{to_matrix(destination), to_const_matrix(source)};
  check.require(p.destination.rows == p.source.rows && p.destination.cols == p.source.cols, [&] {
    std::string const cols = ViewTo::rank() == 1 ? "" : "x" + std::to_string(p.source.cols);
    return "destination must have the extents of source (" + std::to_string(p.source.rows) + cols + ")";
  });
  check.memory("destination", destination);
  check.memory("source", source);
  check.require(options.in_flight >= 1,
                [&] { return "in_flight must be at least 1, it is " + std::to_string(options.in_flight); });
  check.distinct("destination", p.destination);
  constexpr Memory to = memory_kind<typename ViewTo::memory_space>();
  constexpr Memory from = memory_kind<typename ViewFrom::memory_space>();
  // Addresses on a device and on the host do not compare.
  if constexpr ((to == Memory::device) == (from == Memory::device)) {
    check.same_or_disjoint("destination", p.destination, "source", p.source);
  }
  return p;
}

/// Check, plan, run; staging memory is waited for before it is freed.
template <class Exec, class ViewTo, class ViewFrom>
void copy(char const* operation, Exec const& exec, ViewTo const& destination, ViewFrom const& source,
          std::source_location where, TransferOptions const& options = {}) {
  using Path = RouteFor<Exec, ViewTo, ViewFrom>;
  auto const problem = checked_problem(operation, destination, source, where, options);
  Plan const plan = Path::plan(problem, options);
  auto const run = [&](Chunks* chunks) {
    Path const route(exec, problem, plan, chunks);
    route.run();
    route.wait_for_staging();
  };
  if constexpr (Path::chunked) {
    Chunks chunks;
    chunks.reserve(plan.chunks, options.chunk_bytes, options.keep_bytes);  // whole ones, even if the pieces are smaller
    run(&chunks);
  } else {
    run(nullptr);
  }
}

template <class Exec, class T>
TransferReport describe_plan(Plan const& plan) {
  return {plan.path,    labels<Exec, T>().of(plan.path), plan.reason, plan.bytes, plan.staging_bytes, plan.blocks,
          plan.pageable};
}

/// \brief  The View that a transfer to Exec's memory returns.
/// \tparam Value     value type of the result
/// \tparam MayAlias  the argument itself is returned where it is at home and has the layout asked for
template <class ExecSpace, class View, class Value, class AskedLayout, bool MayAlias>
struct Arrival {
  using Exec = ExecSpace;
  using Layout = std::conditional_t<std::is_same_v<AskedLayout, SameLayout>, typename View::array_layout, AskedLayout>;
  static_assert(std::is_same_v<Layout, Kokkos::LayoutRight> || std::is_same_v<Layout, Kokkos::LayoutLeft> ||
                    std::is_same_v<Layout, Kokkos::LayoutStride>,
                "pantile: the layout of a transfer's result must be LayoutRight, LayoutLeft or LayoutStride");
  static constexpr bool layout_kept =
      std::is_same_v<Layout, typename View::array_layout> || std::is_same_v<Layout, Kokkos::LayoutStride>;
  static constexpr bool alias = MayAlias && layout_kept && at_home<Exec, typename View::memory_space>;
  using Space = std::conditional_t<alias, typename View::memory_space, typename Exec::memory_space>;
  using DataType = std::conditional_t<View::rank() == 1, Value*, Value**>;
  using type = Kokkos::View<DataType, Layout, Kokkos::Device<Exec, Space>>;
  using mutable_type = typename type::non_const_type;
};

/// Read-only, itself or a copy.
template <class Exec, class View, class Layout = SameLayout>
using Input = Arrival<Exec, View, typename View::const_value_type, Layout, true>;
/// To be written, itself or a copy.
template <class Exec, class View>
using Output = Arrival<Exec, View, typename View::non_const_value_type, SameLayout, true>;
/// To be written, memory of its own.
template <class Exec, class View, class Layout = SameLayout>
using Copied = Arrival<Exec, View, typename View::non_const_value_type, Layout, false>;

/// Contiguous, with the extents of the View; LayoutStride keeps the View's fast direction.
template <class Layout, class View>
Layout packed_layout(View const& view) {
  constexpr bool strided = std::is_same_v<Layout, Kokkos::LayoutStride>;
  std::size_t const rows = view.extent(0), cols = view.extent(1);
  if constexpr (View::rank() == 1 && strided) {
    return Layout(rows, 1);
  } else if constexpr (View::rank() == 1 || !strided) {
    return View::rank() == 1 ? Layout(rows) : Layout(rows, cols);
  } else {
    return to_matrix(view).fast_along_row() ? Layout(rows, cols, cols, 1) : Layout(rows, 1, cols, rows);
  }
}

/// Memory for the View's elements, not initialised.
template <class Result, class View, class Exec>
Result allocate_like(Exec const& exec, std::string const& label, View const& view) {
  return Result(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label),
                packed_layout<typename Result::array_layout>(view));
}

/// Host memory that kernels on Exec and the device's copy engine reach.
template <class Exec, class DataType, class Layout>
using HostMemory = Kokkos::View<DataType, Layout, Kokkos::Device<Exec, kokkos_ext::PinnedSpace>>;

/// An uninitialised View of it.
template <class Exec, class T, class Layout, class... Extents>
auto host_memory(std::string const& label, Extents... extents) {
  static_assert(std::is_trivially_copyable_v<T> || Element<T>, "pantile: elements must be trivially copyable");
  static_assert(std::is_same_v<Layout, Kokkos::LayoutRight> || std::is_same_v<Layout, Kokkos::LayoutLeft>,
                "pantile: the layout of pinned and mapped memory must be LayoutRight or LayoutLeft");
  static_assert(reaches<Exec, kokkos_ext::PinnedSpace>,
                "pantile: kernels on this execution space do not reach host memory");
  using DataType = std::conditional_t<sizeof...(Extents) == 1, T*, T**>;
  return HostMemory<Exec, DataType, Layout>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label),
                                            static_cast<std::size_t>(extents)...);
}

/// The View in the memory of Result's execution space: itself or a copy. Operation is the face's name, for labels and
/// errors.
template <class Result, class Exec, class View>
typename Result::type bring(char const* operation, Exec const& exec, View const& view, std::source_location where) {
  check_memory(operation, "source", view, where);
  if constexpr (Result::alias) {
    return view;
  } else {
    auto const copied = allocate_like<typename Result::mutable_type>(
        instance<typename Result::Exec>(exec), std::string("pantile::") + operation + "(" + view.label() + ")", view);
    impl::transfer::copy(operation, exec, copied, view, where);
    return copied;
  }
}

/// What `bring` does.
template <class Result, class Exec, class View>
TransferReport describe_bring(char const* operation, View const& view, std::source_location where) {
  using T = typename View::non_const_value_type;
  using Path = Route<Exec, T, typename Result::Space, typename View::memory_space>;
  check_memory(operation, "source", view, where);
  if constexpr (Result::alias) {
    Plan plan;
    plan.path = TransferPath::alias;
    plan.reason = "the memory is where it is wanted: the same elements are handed on";
    return describe_plan<Exec, T>(plan);
  } else {
    // Where the copy will lie is not known yet, only how.
    typename Result::mutable_type const copied(nullptr, packed_layout<typename Result::Layout>(view));
    return describe_plan<typename Path::DriverExec, T>(Path::plan({to_matrix(copied), to_const_matrix(view)}));
  }
}

}  // namespace pantile::impl::transfer
