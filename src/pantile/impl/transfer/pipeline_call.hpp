// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the arrays of a pipeline to a checked plan, its instances, and its report.

#include <pantile/policy.hpp>
#include <pantile/transfer_report.hpp>

#include <pantile/impl/transfer/pipeline.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pantile::impl::transfer {

/// Name of a pipeline's region: of the element of its first array.
template <class Exec, class T>
std::string const& pipeline_label(bool overlapped) {
  auto const make = [](char const* variant) {
    return kernel_label("pipeline", variant, arch::space_name<Exec>(), element_text<T>());
  };
  static std::string const travelling = make("overlapped"), in_place = make("in_place");
  return overlapped ? travelling : in_place;
}

inline void check_apart(Checker const& check, std::span<ArrayInUse const> arrays) {
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      check.require(!arrays[a].clashes_with(arrays[b]), [&] {
        return "array " + std::to_string(a + 1) + " must not overlap array " + std::to_string(b + 1) +
               ": one of the two is written";
      });
    }
  }
}

template <class APort>
ArrayInUse checked_array(Checker const& check, APort const& port, std::size_t rows) {
  auto const& array = port.array();
  check.require(array.extent(0) == rows, [&] {
    return "the arrays must have the same number of rows: " + std::to_string(rows) + " and " +
           std::to_string(array.extent(0));
  });
  return array_in_use(check, array, port.facts().out);
}

/// Check everything that can be wrong, and plan.
template <class First, class... Rest>
PipelinePlan checked_pipeline(PipelineOptions const& options, std::source_location where, First const& first,
                              Rest const&... rest) {
  auto const describe_all = [&] {
    std::string text = describe("array", first.array());
    ((text += ", " + describe("array", rest.array())), ...);
    return text;
  };
  Checker const check("pipeline", where, [&describe_all] { return describe_all(); });
  check.require(options.depth >= 0,
                [&] { return "depth must not be negative, it is " + std::to_string(options.depth); });
  check.require(options.chunk_rows >= 0,
                [&] { return "chunk_rows must not be negative, it is " + std::to_string(options.chunk_rows); });
  std::size_t const rows = first.array().extent(0);
  std::array const ranges{checked_array(check, first, rows), checked_array(check, rest, rows)...};
  check_apart(check, std::span<ArrayInUse const>(ranges));
  std::array const facts{first.facts(), rest.facts()...};
  return choose_pipeline(static_cast<std::int64_t>(rows), facts, options);
}

/// A pipeline that is ready to run or to be described.
template <class Exec, class First, class... Rest>
class Pipeline {
 public:
  Pipeline(PipelineOptions const& options, std::source_location where, First first, Rest... rest)
      : m_ports(std::move(first), std::move(rest)...),
        m_plan(std::apply([&](auto const&... ports) { return checked_pipeline(options, where, ports...); }, m_ports)) {}

  /// On `depth` instances made from this one.
  template <class Body>
  void run(Exec const& exec, Body const& body) {
    run(std::span<Exec const>(&exec, 1), body, true);
  }
  /// On these, as many as the plan was made for or more, or on parts of the one that is given.
  template <class Body>
  void run(std::span<Exec const> given, Body const& body, bool on_parts = false) {
    static_assert(
        std::is_invocable_v<Body const&, Exec const&, typename First::Chunk, typename Rest::Chunk..., std::int64_t>,
        "pantile::pipeline: the body must be callable with an instance, a chunk of each array, and the first row");
    Kokkos::Profiling::ScopedRegion const region(label());
    constexpr bool aliased = (First::aliased && ... && Rest::aliased);
    if (!aliased && m_plan.chunks == 0) return;
    // Where the first one does everything, its own order is enough for its work.
    for (Exec const& exec : given.subspan(aliased ? 1 : 0)) {
      exec.fence("pantile::pipeline: the work before, on the caller's instance");
    }
    auto const depth = static_cast<std::size_t>(m_plan.depth);
    std::vector<Exec> instances(given.begin(), given.begin() + std::min(depth, given.size()));
    if (on_parts && !aliased) instances = Kokkos::Experimental::partition_space(given.front(), std::vector(depth, 1));
    std::vector<Lane<Exec>> const lanes(instances.begin(), instances.end());
    std::apply(
        [&](auto&... ports) {
          (ports.prepare(instances, m_plan), ...);
          run_pipeline(std::span<Lane<Exec> const>(lanes), m_plan, body, ports...);
        },
        m_ports);
  }

  [[nodiscard]] PipelineReport report() const {
    return {label(),         m_plan.rows,      m_plan.chunk_rows,   m_plan.chunks,       m_plan.depth,
            m_plan.bytes_in, m_plan.bytes_out, m_plan.device_bytes, m_plan.pinned_bytes, m_plan.staged};
  }

 private:
  [[nodiscard]] std::string const& label() const { return pipeline_label<Exec, typename First::T>(m_plan.overlapped); }

  std::tuple<First, Rest...> m_ports;
  PipelinePlan m_plan;
};

/// \brief  Takes the roles of a TransferScope and gives ports. Pageable memory is staged where a device drives.
template <class Exec>
struct PortMaker {
  template <class View>
  auto in(View const& array, std::source_location) const {
    return Port<Input<Exec, View>, Role::in, View>(array, staged<View>);
  }
  template <class View>
  auto out(View const& array, std::source_location) const {
    static_assert(!std::is_const_v<typename View::value_type>,
                  "pantile::pipeline: the elements of an out array must not be const");
    return Port<Output<Exec, View>, Role::out, View>(array, staged<View>);
  }
  template <class View>
  auto inout(View const& array, std::source_location) const {
    static_assert(!std::is_const_v<typename View::value_type>,
                  "pantile::pipeline: the elements of an inout array must not be const");
    return Port<Output<Exec, View>, Role::inout, View>(array, staged<View>);
  }

 private:
  template <class View>
  static constexpr bool staged =
      arch::Current<Exec>::device && memory_kind<typename View::memory_space>() == Memory::host;
};

/// Options for the caller's instances: one chunk on each.
inline PipelineOptions on_instances(std::size_t count, PipelineOptions options, std::source_location where) {
  Checker const check("pipeline", where, [&] { return std::to_string(count) + " instances"; });
  check.require(count > 0, [] { return std::string("instances must not be empty"); });
  check.require(options.depth == 0, [&] {
    return "depth is the number of the instances that are given and must be left zero, it is " +
           std::to_string(options.depth);
  });
  options.depth = static_cast<int>(count);
  return options;
}

template <class Exec, class... Arrays>
auto make_pipeline(PipelineOptions const& options, std::source_location where, Arrays const&... arrays) {
  static_assert(sizeof...(Arrays) > 0, "pantile::pipeline: there must be an array");
  PortMaker<Exec> const maker;
  static_assert((requires { arrays.enter(maker); } && ...),
                "pantile::pipeline: each array must be made by in, out or inout");
  return Pipeline<Exec, decltype(arrays.enter(maker))...>(options, where, arrays.enter(maker)...);
}

}  // namespace pantile::impl::transfer
