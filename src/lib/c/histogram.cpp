// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/histogram.hpp>

namespace pantile::c {
namespace {

// The compiled library's: signed bins and weights use the code of unsigned ones.
using IndexElements = Table<Line<PANTILE_INT32, std::int32_t>, Line<PANTILE_INT64, std::int64_t>>;
using BinElements =
    Table<Line<PANTILE_FLOAT, float>, Line<PANTILE_DOUBLE, double>, Line<PANTILE_INT32, std::uint32_t>,
          Line<PANTILE_UINT32, std::uint32_t>, Line<PANTILE_INT64, std::uint64_t>, Line<PANTILE_UINT64, std::uint64_t>>;

HistogramOptions options_of(pantile_histogram_options const* given) {
  pantile_histogram_options const o = read("options", given);
  return {HistogramAlgorithm{o.algorithm}, OutOfRange{o.out_of_range}, o.ignored, o.accumulate != 0, o.teams,
          workspace_of(o.workspace)};
}

/// The call with Views of indices and counts, of rank 1 or 2, and none or one of weights.
template <class Exec, class Indices, class Counts, class... Weights>
void count(Exec const& exec, HistogramOptions const& options, pantile_explanation* explanation, Indices const& indices,
           Counts const& counts, Weights const&... weights) {
  PANTILE_C_RUN(histogram, exec, indices, weights..., counts, options);
}

void histogram(pantile_exec const* exec, pantile_matrix const* indices, pantile_vector const* weights,
               pantile_matrix const* counts, pantile_histogram_options const* options,
               pantile_explanation* explanation) {
  Operand const samples = checked("indices", indices), bins = checked("counts", counts);
  bool const weighted = weights != nullptr;
  Operand const added = weighted ? checked("weights", weights) : bins;
  HistogramOptions const how = options_of(options);
  common_element({added.typed(), bins.typed()});
  require(samples.matrix.cols == 1 || samples.matrix.cols == 2,
          [&] { return "indices.cols is " + std::to_string(samples.matrix.cols) + ", which must be 1 or 2"; });
  bool const pairs = samples.matrix.cols == 2;
  require(pairs || bins.matrix.cols == 1, [&] {
    return "counts.cols is " + std::to_string(bins.matrix.cols) + ", which must be 1 where indices have one column";
  });
  with_type(IndexElements{}, samples.typed(), [&]<class I>(std::type_identity<I>) {
    with_call(BinElements{}, bins.typed(), exec, {}, [&]<class T>(auto const& instance, std::type_identity<T>) {
      check_place(instance, "ignored", how.ignored);
      check_place(instance, "workspace", how.workspace.data);
      auto const of_samples = matrix<I const>(instance, samples);
      auto const with_weights = [&](auto const&... of_weights) {
        if (pairs) {
          count(instance, how, explanation, of_samples, matrix<T>(instance, bins), of_weights...);
        } else {
          count(instance, how, explanation, of_samples, vector<T>(instance, bins), of_weights...);
        }
      };
      if (weighted) {
        with_weights(vector<T const>(instance, added));
      } else {
        with_weights();
      }
    });
  });
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_FUNCTIONS(histogram, (exec, indices, weights, counts, options), pantile_exec const* exec,
                    pantile_matrix const* indices, pantile_vector const* weights, pantile_matrix const* counts,
                    pantile_histogram_options const* options)
