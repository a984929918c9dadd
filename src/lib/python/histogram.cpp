// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/functions.hpp>
#include <python/stacks.hpp>

#include <algorithm>

namespace nb = nanobind;

namespace pantile::python {
namespace {

/// A number, or a tuple of numbers.
Extents shape_of(Call const& call, nb::handle bins) {
  Extents extents;
  auto const append = [&](nb::handle extent) {
    extents.push_back(PyNumber_AsSsize_t(extent.ptr(), PyExc_OverflowError));
    if (extents.back() != -1 || PyErr_Occurred() == nullptr) return;
    bool const is_number = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    call.refuse(is_number ? PyExc_OverflowError : PyExc_TypeError,
                "bins must be one extent or a tuple of them, and one is " + nb::cast<std::string>(nb::repr(extent)));
  };
  if (nb::isinstance<nb::tuple>(bins)) {
    for (nb::handle extent : bins) append(extent);
  } else {
    append(bins);
  }
  call.require(extents.size() >= 1 && extents.size() <= 3,
               [&] { return "bins is " + text(extents) + ", which must be one to three extents"; });
  for (std::int64_t const extent : extents) {
    call.require(extent >= 0, [&] { return "bins is " + text(extents) + ", which must not be negative"; });
  }
  return extents;
}

/// At most so many axes; a vector becomes a matrix of one column.
void as_matrix(Call const& call, Array& array, std::size_t most) {
  call.require(array.rank() >= 1 && array.rank() <= most, [&] {
    return std::string(array.name) + " must have one " + (most == 2 ? "or two" : "to three") + " axes, its shape is " +
           text(array.extents);
  });
  if (array.rank() == 1) array.insert_axis(1);
}

/// The type int64 in the words of the array's library: PyTorch knows no other libraries' names.
nb::object int64_of(nb::handle array) {
  auto const modules = nb::borrow<nb::dict>(PyImport_GetModuleDict());
  if (modules.contains("torch") && nb::isinstance(array, modules["torch"].attr("Tensor"))) {
    return modules["torch"].attr("int64");
  }
  return nb::str("int64");
}

/// The bins: the caller's, or new ones.
Array counts_of(Call const& call, nb::handle bins, nb::handle out, nb::handle indices, nb::handle weights) {
  call.require(bins.is_none() != out.is_none(), [] { return std::string("either bins or out must be given"); });
  if (!out.is_none()) return import_array(call, "out", out, Access::write);
  Extents const shape = shape_of(call, bins);
  if (!weights.is_none()) return result_array(call, out, weights, dtype_of(weights), shape);
  return result_array(call, out, indices, int64_of(indices), shape);
}

nb::object histogram(Call const& call, nb::handle given_indices, nb::handle bins, nb::handle given_weights,
                     nb::handle out, nb::handle out_of_range, nb::handle accumulate) {
  Array indices = import_array(call, "indices", given_indices, Access::read);
  Extents const shape_of_indices = indices.extents;
  as_matrix(call, indices, 2);
  bool const weighted = !given_weights.is_none();
  Array counts = counts_of(call, bins, out, given_indices, given_weights);
  bool const adds = choice_of<bool>(call, "accumulate", accumulate);
  call.require(!adds || !out.is_none(), [] { return std::string("accumulate adds to out, which is not given"); });
  Extents const shape_of_bins = counts.extents;
  auto const axes = static_cast<std::int64_t>(counts.rank());
  as_matrix(call, counts, 3);
  call.require(indices.extents[1] == axes, [&] {
    return "indices must have a column for each axis of the bins, whose shape is " + text(shape_of_bins) +
           "; their own is " + text(shape_of_indices);
  });
  Array const weights = weighted ? import_array(call, "weights", given_weights, Access::read) : counts;
  call.require(!weighted || weights.rank() == 1,
               [&] { return "weights must have one axis, their shape is " + text(weights.extents); });
  std::initializer_list<Array const*> const arrays = {&counts, &indices, &weights};
  for (Array const* array : arrays) {
    call.require(std::all_of(array->strides.begin(), array->strides.end(), [](auto stride) { return stride >= 0; }),
                 [&] { return std::string(array->name) + " must not have a negative stride: copy the array first"; });
  }

  pantile_matrix const samples = matrix(indices, 0);
  pantile_vector const added{weights.data, weights.element, weights.extents[0], weights.strides[0]};
  pantile_histogram_options options{};
  options.size = sizeof options;
  options.out_of_range = static_cast<std::int32_t>(choice_of<OutOfRange>(call, "out_of_range", out_of_range));
  options.accumulate = adds;
  auto const* const given = weighted ? &added : nullptr;
  auto const run = [&](auto const& cells, auto function, auto explain) {
    if (call.explains()) {
      return explained(call, arrays, [&](pantile_exec* exec, pantile_explanation* explanation) {
        return explain(exec, &samples, given, &cells, &options, explanation);
      });
    }
    call.run(arrays, [&](pantile_exec* exec) { return function(exec, &samples, given, &cells, &options); });
    return counts.object;
  };
  if (counts.rank() == 3) return run(batch(counts, 0), pantile_histogram_3d, pantile_explain_histogram_3d);
  return run(matrix(counts, 0), pantile_histogram, pantile_explain_histogram);
}

constexpr char const* words = R"(out[i] = how many of the indices are i, or the sum of their weights.

indices       (samples), or (samples, axes) for bins of two or three axes; int32 or int64
bins          how many, or a tuple of one to three extents, for a new array from the library of weights or indices, of
              the weights' dtype or int64
weights       (samples), of the bins' dtype: float32, float64, int32, uint32, int64, uint64
out           the bins, instead of `bins`; returned
out_of_range  OutOfRange.REFUSE: an index without a bin is a ValueError; IGNORE: it is not counted
accumulate    adds to what out holds

Errors as matmul's.)";

}  // namespace

void define_histogram(nb::module_& module) {
  define(module, {"histogram", "explain_histogram"}, words, &histogram, any("indices"), any("bins") = nb::none(),
         any("weights") = nb::none(), any("out") = nb::none(), nb::kw_only(), any("out_of_range") = OutOfRange::refuse,
         any("accumulate") = false);
}

}  // namespace pantile::python
