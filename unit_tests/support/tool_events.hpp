// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a call made Kokkos do, as a tool sees it: kernels, copies, fences, allocations and regions, in order.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pantile::testing {

/// \brief  Records from its construction to its end. One at a time.
class ToolEvents {
 public:
  enum class Kind { kernel, deep_copy, fence, allocation, region };
  struct Event {
    Kind kind;
    std::string label;
    std::uint32_t device = 0;  ///< kernels and fences: id of the instance, see `device_of`
    std::uint64_t bytes = 0;   ///< of an allocation
  };

  ToolEvents() {
    namespace tools = Kokkos::Tools::Experimental;
    log().clear();
    tools::set_begin_parallel_for_callback([](char const* name, std::uint32_t device, std::uint64_t*) {
      log().push_back({Kind::kernel, name, device});
    });
    tools::set_begin_parallel_reduce_callback([](char const* name, std::uint32_t device, std::uint64_t*) {
      log().push_back({Kind::kernel, name, device});
    });
    tools::set_begin_fence_callback([](char const* name, std::uint32_t device, std::uint64_t*) {
      if (!is_kokkos_own(name)) log().push_back({Kind::fence, name, device});
    });
    // Kokkos' CUDA asks for no bytes of team scratch at each launch of teams.
    tools::set_allocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const* name, void const*, std::uint64_t bytes) {
          if (bytes > 0) log().push_back({Kind::allocation, name, 0, bytes});
        });
    tools::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, char const* name, void const*,
                                           Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t) {
      log().push_back({Kind::deep_copy, name});
    });
    open_regions() = 0;
    tools::set_push_region_callback([](char const* name) {
      log().push_back({Kind::region, name});
      ++open_regions();
    });
    tools::set_pop_region_callback([] { --open_regions(); });
  }
  ToolEvents(ToolEvents const&) = delete;
  ToolEvents& operator=(ToolEvents const&) = delete;
  ~ToolEvents() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_begin_fence_callback(nullptr);
    tools::set_allocate_data_callback(nullptr);
    tools::set_begin_deep_copy_callback(nullptr);
    tools::set_push_region_callback(nullptr);
    tools::set_pop_region_callback(nullptr);
  }

  [[nodiscard]] std::vector<Event> of(Kind kind) const {
    std::vector<Event> found;
    for (Event const& event : log()) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  [[nodiscard]] std::size_t count(Kind kind) const { return of(kind).size(); }
  /// Events of the kind whose label begins with the prefix.
  [[nodiscard]] std::size_t count(Kind kind, std::string const& prefix) const {
    auto const found = of(kind);
    return static_cast<std::size_t>(
        std::count_if(found.begin(), found.end(), [&](Event const& e) { return e.label.rfind(prefix, 0) == 0; }));
  }

  /// Regions that were opened and not closed.
  static int& open_regions() {
    static int open = 0;
    return open;
  }

 private:
  /// Fences for the sake of a tool's callbacks, that is, because we look; and those in every launch of the Threads
  /// backend.
  static bool is_kokkos_own(std::string const& fence) {
    return fence.rfind("Kokkos::Tools::", 0) == 0 || fence == "Kokkos::ThreadsInternal::fence: Unnamed Instance Fence";
  }
  static std::vector<Event>& log() {
    static std::vector<Event> events;
    return events;
  }
};

/// Id of an instance, as events have it.
template <class Exec>
std::uint32_t device_of(Exec const& exec) {
  return Kokkos::Tools::Experimental::device_id(exec);
}

}  // namespace pantile::testing
