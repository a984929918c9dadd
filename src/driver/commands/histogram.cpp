// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"
#include "io/file_error.hpp"

#include <algorithm>
#include <optional>

namespace pantile::driver {

namespace {

Shape bins_shape(std::vector<std::int64_t> const& bins) {
  Shape shape;
  for (std::int64_t const extent : bins) shape.push_back(static_cast<std::size_t>(extent));
  return shape;
}

/// A vector; Matrix Market knows it as a single column only.
void require_vector(Operand const& operand) {
  Shape const& shape = operand.array.shape;
  if (shape.rank() == 1 || (shape.rank() == 2 && shape[1] == 1)) return;
  throw InputError("histogram: " + std::string(operand.name) +
                   " must have 1 dimension, or 2 with a single column, but " + path_in_quotes(operand.path) +
                   " has shape " + shape.text());
}

/// Samples: elements of a vector for one dimension of bins, else one row each.
void require_samples(Operand const& indices, std::size_t dimensions) {
  if (dimensions == 1) return require_vector(indices);
  require_rank(indices, "histogram", 2);
  if (indices.array.shape[1] == dimensions) return;
  throw InputError("histogram: columns of indices must equal the number of dimensions of the bins (" +
                   std::to_string(dimensions) + "); " + describe(indices));
}

/// Indices that int64 does not hold are in no bin. Said here, where their own value is still known.
void require_indices_below_int64(Operand const& indices) {
  if (indices.array.type != ElementType::uint64) return;
  auto const elements = indices.array.elements<std::uint64_t>();
  auto const bad = std::ranges::find_if(elements, [](std::uint64_t index) { return index >> 63 != 0; });
  if (bad == elements.end()) return;
  throw InputError("histogram: indices hold " + std::to_string(*bad) + ", which is outside every range of bins; " +
                   describe(indices));
}

/// Indices of shapes that go together; weights are the second operand, where there are any.
void require_operands(Operands const& operands, std::size_t dimensions) {
  require_integer_indices(operands[0].array);
  require_samples(operands[0], dimensions);
  if (operands.size() < 2) return;
  require_vector(operands[1]);
  std::size_t const samples = operands[0].array.shape[0];
  if (operands[1].array.count() == samples) return;
  throw InputError("histogram: weights must be as many as samples (" + std::to_string(samples) + "); " +
                   describe(operands));
}

}  // namespace

void run_command(HistogramArguments const& arguments, Session& session) {
  Operands operands = look_at_operands(session);
  require_operands(operands, arguments.bins.size());
  bool const weighted = operands.size() > 1;
  ElementType const type = weighted ? operands[1].array.type : ElementType(ElementType::int64);
  Result const result{"counts", type, bins_shape(arguments.bins)};
  require_room(session, operands, result);

  read_operands(session, operands);
  Array const& file_indices = operands[0].array;
  std::optional<Array> const wide_indices = widened_indices(file_indices, weighted);
  Array const& indices = wide_indices ? *wide_indices : file_indices;
  if (arguments.options.out_of_range == OutOfRange::refuse) require_indices_below_int64(operands[0]);

  Array counts = make_result(result, arguments.common.order);
  std::uint64_t ignored = 0;
  session.start_kokkos();
  HistogramTask const task{.indices = indices,
                           .weights = weighted ? &operands[1].array : nullptr,
                           .counts = counts,
                           .ignored = ignored,
                           .options = arguments.options};
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  if (arguments.options.out_of_range == OutOfRange::count) {
    session.report().line("ignored", concat(ignored, " of ", indices.shape[0], " samples are out of range"));
    session.report().set("ignored", ignored);
  }
  write_result(session, measurement, "counts", counts);
}

}  // namespace pantile::driver
