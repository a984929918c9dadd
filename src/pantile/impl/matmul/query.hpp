// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the choice of a matmul's kernel depends on.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/device_tile.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/matmul/host/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pantile::impl::matmul {

/// A register tile that the library has a kernel for, and the most threads that kernel may have.
struct MicroVariant {
  arch::MicroTile micro;
  int max_threads;
  friend constexpr bool operator==(MicroVariant, MicroVariant) = default;
};

/// Everything that a choice may depend on.
struct Query {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;        ///< products of these extents at once
  bool c_along_columns = false;  ///< C is faster along its columns
  bool scales_only = false;
  std::size_t compute_size = 8;              ///< bytes of the type in which products are summed
  std::span<MicroVariant const> variants{};  ///< kernels at hand, fewest registers first
  int default_edge = 64;                     ///< tile edge and depth when the caller gives none
  int default_depth = 128;
  HostFacts host{};                                  ///< hosts: what the blocked variant must know
  std::span<arch::DeviceTile const> device_tiles{};  ///< devices: tiles of the blocked variant
  arch::DeviceTuning tuning{};
  char const* vendor_refusal = "";  ///< why the vendor library cannot do this call; empty if it can
  MatmulOptions options{};
};

}  // namespace pantile::impl::matmul
