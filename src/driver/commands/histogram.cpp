// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/headers.hpp"
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
void require_vector(NamedArray const& operand) {
  Shape const& shape = operand.array.shape;
  if (shape.rank() == 1 || (shape.rank() == 2 && shape[1] == 1)) return;
  throw InputError("histogram: " + std::string(operand.name) +
                   " must have 1 dimension, or 2 with a single column, but " + path_in_quotes(operand.path) +
                   " has shape " + shape.text());
}

/// Samples: elements of a vector for one dimension of bins, else one row each.
void require_samples(NamedArray const& indices, std::size_t dimensions) {
  if (dimensions == 1) return require_vector(indices);
  require_rank(indices, "histogram", 2);
  if (indices.array.shape[1] == dimensions) return;
  throw InputError("histogram: columns of indices must equal the number of dimensions of the bins (" +
                   std::to_string(dimensions) + "); " + describe(indices));
}

/// Indices that int64 does not hold are in no bin. Said here, where their own value is still known.
void require_indices_below_int64(NamedArray const& indices) {
  if (indices.array.type != ElementType::uint64) return;
  auto const elements = indices.array.elements<std::uint64_t>();
  auto const bad = std::ranges::find_if(elements, [](std::uint64_t index) { return index >> 63 != 0; });
  if (bad == elements.end()) return;
  throw InputError("histogram: indices hold " + std::to_string(*bad) + ", which is outside every range of bins; " +
                   describe(indices));
}

/// Indices of shapes that go together; weights are the second operand, where there are any.
void require_operands(std::vector<NamedArray> const& operands, std::size_t dimensions) {
  require_integer_indices(operands[0].array);
  require_samples(operands[0], dimensions);
  if (operands.size() < 2) return;
  require_vector(operands[1]);
  std::size_t const samples = operands[0].array.shape[0];
  if (operands[1].array.count() == samples) return;
  throw InputError("histogram: weights must be as many as samples (" + std::to_string(samples) + "); " +
                   describe(operands[0]) + ", " + describe(operands[1]));
}

}  // namespace

void run_command(HistogramArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  bool const weighted = !arguments.weights.empty();
  Headers const headers(session, {}, {{"indices", arguments.indices}, {"weights", arguments.weights}});
  if (headers.known()) {
    require_operands(headers.operands(), arguments.bins.size());
    ElementType const type = weighted ? headers[1].array.type : ElementType(ElementType::int64);
    headers.require_room(session, {"counts", type, bins_shape(arguments.bins)});
  }
  Array const file_indices = read_operand(session, "indices", arguments.indices);
  std::optional<Array> const wide_indices = widened_indices(file_indices, weighted);
  Array const& indices = wide_indices ? *wide_indices : file_indices;
  std::optional<Array> weights;
  if (weighted) weights = read_operand(session, "weights", arguments.weights);

  std::vector<NamedArray> operands{{"indices", arguments.indices, file_indices}};
  if (weights) operands.push_back({"weights", arguments.weights, *weights});
  require_operands(operands, arguments.bins.size());
  if (arguments.options.out_of_range == OutOfRange::refuse) require_indices_below_int64(operands[0]);
  std::size_t const samples = indices.shape[0];

  Array counts = make_result("counts", weights ? weights->type : ElementType(ElementType::int64),
                             bins_shape(arguments.bins), arguments.common.order);
  std::uint64_t ignored = 0;
  session.start_kokkos();
  HistogramTask const task{.indices = indices,
                           .weights = weights ? &*weights : nullptr,
                           .counts = counts,
                           .ignored = ignored,
                           .options = arguments.options};
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  if (arguments.options.out_of_range == OutOfRange::count) {
    session.report().line("ignored",
                          std::to_string(ignored) + " of " + std::to_string(samples) + " samples are out of range");
    session.report().set("ignored", ignored);
  }
  require_verified(measurement);
  write_result(session, "counts", counts);
}

}  // namespace pantile::driver
