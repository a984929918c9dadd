// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Can the host access an operand whose memory space is unknown, or only claimed by the caller?

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/impl/kokkos_ext/device_handles.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <string>
#include <string_view>

namespace pantile::impl {

/// Memory that the host is to read and write.
template <class View>
constexpr bool is_for_hosts = AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>;

/// Refuses an operand that is said to be the host's and lies in memory that only a device can access.
/// \param  operand  operation and name, as "matmul: A"
template <class View>
void require_host_access(View const& view, std::string_view operand, std::source_location where) {
  if constexpr (is_for_hosts<View> && View::traits::memory_traits::is_unmanaged) {
    if (kokkos_ext::host_can_access(view.data())) return;
    std::size_t const colon = operand.find(": ");
    std::string const name(operand.substr(colon + 2));
    throw Error(std::string(operand.substr(0, colon)),
                name + " must lie in memory of the host, where the call runs: it lies in a device's",
                describe(name, view), where);
  }
}

/// The same of addresses and of the first of the matrices there, before the host reads them.
template <class View>
void check_host_access(Checker const& check, std::string_view name, View const& view) {
  if constexpr (PointerBatch<View> && is_for_hosts<View>) {
    auto const rule = [&](char const* what, char const* where) {
      return std::string(name) + " must have its " + what + " in memory of the host, where the call runs: " + where +
             " in a device's";
    };
    check.require(kokkos_ext::host_can_access(view.addresses), [&] { return rule("addresses", "they lie"); });
    bool const any = view.addresses != nullptr && view.size() > 0;
    check.require(!any || kokkos_ext::host_can_access(view.addresses[0]),
                  [&] { return rule("matrices", "the first lies"); });
  }
}

}  // namespace pantile::impl
