// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the kernel of a fill: a pure function from numbers to a plan. Nothing is launched here.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/machine.hpp>
#include <pantile/impl/launch/shape.hpp>
#include <pantile/impl/launch/units.hpp>

#include <cstdint>
#include <string>

namespace pantile::impl::fill {

/// Everything that a choice may depend on.
struct Query {
  std::int64_t rows = 0, cols = 0;  ///< of C as the caller sees it
  bool fast_along_row = true;
  FillOptions options{};
  std::int64_t constant_bytes = -1;  ///< of C where it becomes one value; negative: a function takes its own time
};

/// What runs. `refusal` is a broken rule, empty for a plan that can run.
struct Plan {
  FillAlgorithm algorithm = FillAlgorithm::naive;
  char const* reason = "";
  bool transposed = false;  ///< walk C down its columns: naive only, a launch shape has its directions from the caller
  LaunchShape launch{};     ///< complete; for grid_stride
  Extent2 tile{};           ///< elements along and across the fast direction; for naive
  bool on_caller = false;   ///< on the calling thread, without a launch; for naive
  std::string refusal;
};

/// Choose the variant and its numbers.
inline Plan choose(arch::Machine const& machine, Query const& query) {
  Plan plan;
  FillOptions const& options = query.options;
  plan.algorithm = options.algorithm;
  plan.reason = "asked for by the caller";
  if (plan.algorithm == FillAlgorithm::automatic) {
    bool const shaped = options.coordinates == Coordinates::thread || !(options.launch == LaunchShape{});
    plan.algorithm = shaped ? FillAlgorithm::grid_stride : FillAlgorithm::naive;
    plan.reason = shaped ? "a launch shape or thread coordinates are asked for" : "every element is written once";
  }
  plan.refusal = launch::launch_refusal(options.launch);
  if (!is_enumerator(options.coordinates)) plan.refusal = enumerator_refusal("coordinates", options.coordinates);
  if (options.algorithm == FillAlgorithm::naive && options.launch != LaunchShape{}) {
    plan.refusal = unused_refusal("launch", options.algorithm, {FillAlgorithm::grid_stride});
  }
  if (!plan.refusal.empty()) return plan;
  switch (plan.algorithm) {
    case FillAlgorithm::grid_stride:
      plan.launch = launch::default_launch(machine, options.launch, query.rows, query.cols);
      break;
    case FillAlgorithm::naive: {
      plan.transposed = !query.fast_along_row;
      std::int64_t const rows = plan.transposed ? query.cols : query.rows;
      std::int64_t const cols = plan.transposed ? query.rows : query.cols;
      plan.tile = machine.device ? launch::element_tile(true, rows, cols) : launch::row_tile(rows, cols, false);
      plan.on_caller = query.constant_bytes >= 0 && launch::is_for_caller(machine, query.constant_bytes);
      break;
    }
    default: plan.refusal = enumerator_refusal("algorithm", plan.algorithm);
  }
  return plan;
}

}  // namespace pantile::impl::fill
