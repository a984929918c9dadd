// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The operations on operands that memory does not hold. No Kokkos here, as in operations.hpp.

#include "io/element_type.hpp"
#include "scalar.hpp"

#include <pantile/out_of_core_plan.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>

#include <optional>
#include <string>

namespace pantile::driver {

struct TiledTranspose {
  out_of_core::TileSource& a;
  out_of_core::TileSink& b;
  ElementType type;
  TransposeOptions options{};
};

/// Throw as the run does, before anything is written.
out_of_core::TransposePlan plan(TiledTranspose const& task, out_of_core::OutOfCoreOptions const& options);
/// Kokkos must run. Throws pantile::Error, InputError, and what the places of the operands throw.
void run(TiledTranspose const& task, out_of_core::OutOfCoreOptions const& options);

struct TiledMatmul {
  out_of_core::TileSource& a;
  out_of_core::TileSource& b;
  out_of_core::TileSource* c_in;  ///< null: C's old values are not read
  out_of_core::TileSink& c;
  ElementType type;  ///< of A and B
  Scalar alpha = 1, beta = 0;
  MatmulOptions options{};
  std::optional<ElementType> accumulator{};
};

out_of_core::MatmulPlan plan(TiledMatmul const& task, out_of_core::OutOfCoreOptions const& options);
void run(TiledMatmul const& task, out_of_core::OutOfCoreOptions const& options);

/// "pantile 0.1.99, openmp, avx512": who rounds sums, and so decides about the bits of a tile.
std::string rounding_text();

}  // namespace pantile::driver
