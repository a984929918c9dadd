// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/functions.hpp>
#include <python/stacks.hpp>

#include <utility>

namespace nb = nanobind;

namespace pantile::python {
namespace {

// The C face's functions for operands of this kind.
auto transposition_of(pantile_matrix const&) { return std::pair(&pantile_transpose, &pantile_explain_transpose); }
auto transposition_of(pantile_batch const&) {
  return std::pair(&pantile_transpose_batched, &pantile_explain_transpose_batched);
}

nb::object transpose(Call const& call, nb::handle given_a, nb::handle out, nb::handle conjugate) {
  Array a = import_array(call, "a", given_a, Access::read);
  call.require(a.rank() >= 2, [&] { return "a must have two axes at least, its shape is " + text(a.extents); });
  Extents shape = a.extents;
  std::swap(shape[a.rank() - 2], shape[a.rank() - 1]);
  Array b = result_array(call, out, given_a, dtype_of(given_a), shape);
  pantile_transpose_options options{};
  options.size = sizeof options;
  options.conjugate = choice_of<bool>(call, "conjugate", conjugate);
  return for_each_batch(
      call,
      [&]<class Operand>(pantile_exec* exec, pantile_explanation* explanation, Operand const& B, Operand const& A) {
        auto const [move, explain] = transposition_of(B);
        return explanation == nullptr ? move(exec, &A, &B, &options) : explain(exec, &A, &B, &options, explanation);
      },
      b, a);
}

constexpr char const* words = R"(out = a with its last two axes exchanged in memory.

a          (..., m, n); dtypes and strides as matmul's operands
out        (..., n, m), may be a itself where m = n; returned. None: a new array from the library of a
conjugate  of complex elements

Errors as matmul's; explanations call a and out A and B.)";

}  // namespace

void define_transpose(nb::module_& module) {
  define(module, {"transpose", "explain_transpose"}, words, &transpose, any("a"), any("out") = nb::none(),
         nb::kw_only(), any("conjugate") = false);
}

}  // namespace pantile::python
