// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/functions.hpp>
#include <python/scalar.hpp>
#include <python/stacks.hpp>

#include <algorithm>
#include <array>

namespace nb = nanobind;

namespace pantile::python {
namespace {

using Operands = std::array<Array*, 3>;

/// Do all arrays step from the end of an axis to its next neighbour as along the axis before it?
bool are_one_axis(Operands const& arrays, std::size_t axis) {
  return std::all_of(arrays.begin(), arrays.end(), [&](Array const* array) {
    return array->strides[axis + 1] >= 0 && array->strides[axis] == array->strides[axis + 1] * array->extents[axis + 1];
  });
}

bool steps_backwards(Array const* array) {
  return std::any_of(array->strides.begin(), array->strides.end(), [](std::int64_t stride) { return stride < 0; });
}

/// \brief  As few and as long axes as the arrays have together, but two at least: fewer and larger matrices.
///         Leading axes that go backwards stay leading ones: matrices cannot.
void join_axes(Operands const& arrays) {
  for (Array* array : arrays) {
    while (array->rank() < 2) array->insert_axis(0);
  }
  if (std::any_of(arrays.begin(), arrays.end(), steps_backwards)) return;
  for (std::size_t axis = arrays[0]->rank() - 1; axis-- > 0 && arrays[0]->rank() > 2;) {
    if (!are_one_axis(arrays, axis)) continue;
    for (Array* array : arrays) {
      array->extents[axis + 1] *= array->extents[axis];
      array->extents.erase(array->extents.begin() + static_cast<std::ptrdiff_t>(axis));
      array->strides.erase(array->strides.begin() + static_cast<std::ptrdiff_t>(axis));
    }
  }
}

nb::object add(Call const& call, nb::handle given_a, nb::handle given_b, nb::handle out, nb::handle given_alpha,
               nb::handle given_beta) {
  Array a = import_array(call, "a", given_a, Access::read), b = import_array(call, "b", given_b, Access::read);
  Scalar const alpha = scalar_of(call, "alpha", given_alpha, a.element);
  Scalar const beta = scalar_of(call, "beta", given_beta, a.element);
  Extents const shape = broadcast(call, a, a.extents, b, b.extents);
  Array c = result_array(call, out, given_a, dtype_of(given_a), shape);
  repeat_leading(a, shape, 0);
  repeat_leading(b, shape, 0);
  join_axes({&c, &a, &b});
  return for_each_matrix(
      call,
      [&](pantile_exec* exec, pantile_explanation* explanation, pantile_matrix const& C, pantile_matrix const& A,
          pantile_matrix const& B) {
        return explanation == nullptr
                   ? pantile_add(exec, alpha.bytes, &A, beta.bytes, &B, &C, nullptr)
                   : pantile_explain_add(exec, alpha.bytes, &A, beta.bytes, &B, &C, nullptr, explanation);
      },
      c, a, b);
}

constexpr char const* words = R"(out = alpha a + beta b, element by element.

a, b   arrays whose shapes broadcast; dtypes and strides as matmul's
out    of their common shape, may be a or b itself; returned. None: a new array from the library of a
alpha  numbers of the dtype
beta

Errors as matmul's.)";

}  // namespace

void define_add(nb::module_& module) {
  define(module, {"add", "explain_add"}, words, &add, nb::arg("a"), nb::arg("b"), nb::arg("out") = nb::none(),
         nb::kw_only(), nb::arg("alpha") = 1, nb::arg("beta") = 1);
}

}  // namespace pantile::python
