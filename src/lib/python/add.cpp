// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/functions.hpp>
#include <python/scalar.hpp>
#include <python/stacks.hpp>

namespace nb = nanobind;

namespace pantile::python {
namespace {

nb::object add(Call const& call, nb::handle given_a, nb::handle given_b, nb::handle out, nb::handle given_alpha,
               nb::handle given_beta) {
  Array a = import_array(call, "a", given_a, Access::read), b = import_array(call, "b", given_b, Access::read);
  Scalar const alpha = scalar_of(call, "alpha", given_alpha, a.element);
  Scalar const beta = scalar_of(call, "beta", given_beta, a.element);
  Extents const shape = broadcast(call, a, a.extents, b, b.extents);
  Array c = result_array(call, out, given_a, dtype_of(given_a), shape);
  repeat_leading(a, shape, 0);
  repeat_leading(b, shape, 0);
  for (Array* array : {&a, &b, &c}) {
    while (array->rank() < 2) array->insert_axis(0);
  }
  join_axes({&c, &a, &b}, 0, 2);
  return for_each_part(
      call, 2, matrix,
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
  define(module, {"add", "explain_add"}, words, &add, any("a"), any("b"), any("out") = nb::none(), nb::kw_only(),
         any("alpha") = 1, any("beta") = 1);
}

}  // namespace pantile::python
