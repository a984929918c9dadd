// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/histogram.hpp>

#include <cstdint>
#include <string>

namespace pantile::c {
namespace {

// The compiled library's: signed bins and weights use the code of unsigned ones.
using IndexElements = Table<Line<PANTILE_INT32, std::int32_t>, Line<PANTILE_INT64, std::int64_t>>;
using BinElements =
    Table<Line<PANTILE_FLOAT, float>, Line<PANTILE_DOUBLE, double>, Line<PANTILE_INT32, std::uint32_t>,
          Line<PANTILE_UINT32, std::uint32_t>, Line<PANTILE_INT64, std::uint64_t>, Line<PANTILE_UINT64, std::uint64_t>>;

HistogramOptions options_of(pantile_histogram_options const* given) {
  pantile_histogram_options const o = read("options", given);
  require(reinterpret_cast<std::uintptr_t>(o.ignored) % alignof(std::uint64_t) == 0,
          [] { return "options.ignored must be a multiple of " + std::to_string(alignof(std::uint64_t)); });
  return {HistogramAlgorithm{o.algorithm}, OutOfRange{o.out_of_range}, o.ignored, o.accumulate != 0, o.teams,
          workspace_of(o.workspace)};
}

/// \param  see  calls what it is given with a View of the bins, of as many dimensions as the samples have indices
template <class See>
void count(pantile_exec const* exec, Operand const& samples, pantile_vector const* weights, Operand const& bins,
           pantile_histogram_options const* options, pantile_explanation* explanation, See const& see) {
  Operand const added = weights != nullptr ? checked("weights", weights) : bins;
  HistogramOptions const how = options_of(options);
  common_element({added.typed(), bins.typed()});
  with_type(IndexElements{}, samples.typed(), [&]<class I>(std::type_identity<I>) {
    with_call(BinElements{}, bins.typed(), exec, how.workspace, [&](auto const& instance, auto type) {
      using T = typename decltype(type)::type;
      check_place(instance, "ignored", how.ignored);
      auto const of_samples = matrix<I const>(instance, samples);
      see(instance, type, [&](auto const& counts) {
        if (weights != nullptr) {
          auto const of_weights = vector<T const>(instance, added);
          PANTILE_C_RUN(histogram, instance, of_samples, of_weights, counts, how);
        } else {
          PANTILE_C_RUN(histogram, instance, of_samples, counts, how);
        }
      });
    });
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(histogram, (exec, indices, weights, counts, options), pantile_exec const* exec,
                    pantile_matrix const* indices, pantile_vector const* weights, pantile_matrix const* counts,
                    pantile_histogram_options const* options) {
  Operand const samples = checked("indices", indices), bins = checked("counts", counts);
  require(samples.matrix.cols == 1 || samples.matrix.cols == 2,
          [&] { return "indices.cols is " + std::to_string(samples.matrix.cols) + ", which must be 1 or 2"; });
  bool const pairs = samples.matrix.cols == 2;
  require(pairs || bins.matrix.cols == 1, [&] {
    return "counts.cols is " + std::to_string(bins.matrix.cols) + ", which must be 1 where indices have one column";
  });
  count(exec, samples, weights, bins, options, explanation,
        [&]<class T>(auto const& instance, std::type_identity<T>, auto const& f) {
          if (pairs) {
            f(matrix<T>(instance, bins));
          } else {
            f(vector<T>(instance, bins));
          }
        });
}

PANTILE_C_OPERATION(histogram_3d, (exec, indices, weights, counts, options), pantile_exec const* exec,
                    pantile_matrix const* indices, pantile_vector const* weights, pantile_batch const* counts,
                    pantile_histogram_options const* options) {
  Operand const samples = checked("indices", indices);
  BatchOperand const bins = checked("counts", counts);
  require(bins.addresses == nullptr, [] { return std::string("counts must not have addresses"); });
  count(exec, samples, weights, bins, options, explanation,
        [&]<class T>(auto const& instance, std::type_identity<T>, auto const& f) { f(batch<T>(instance, bins)); });
}
