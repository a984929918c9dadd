// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/functions.hpp>
#include <python/scalar.hpp>
#include <python/stacks.hpp>

#include <nanobind/stl/string.h>

#include <utility>

namespace nb = nanobind;

namespace pantile::python {
namespace {

bool transposes(pantile_op op) { return op == PANTILE_OP_TRANSPOSE || op == PANTILE_OP_CONJUGATE_TRANSPOSE; }

/// A vector becomes a matrix by an axis of extent 1. \return  whether it is one
bool as_matrices(Call const& call, Array& array, std::size_t new_axis, pantile_op op) {
  bool const vector = array.rank() == 1;
  call.require(array.rank() > 0, [&] { return std::string(array.name) + " must have an axis"; });
  call.require(!(vector && transposes(op)),
               [&] { return "op_" + std::string(array.name) + " must not transpose a vector"; });
  if (vector) array.insert_axis(new_axis);
  return vector;
}

/// NumPy's name of a type: of "float64", numpy.float64, numpy.dtype("float64"), torch.float64; and of what else NumPy
/// takes for one, such as float and "d", where the program has NumPy.
std::string dtype_name(nb::handle type) {
  nb::object const name = nb::getattr(type, "name", nb::getattr(type, "__name__", nb::str(type)));
  auto words = nb::cast<std::string>(nb::str(name));
  words = words.substr(words.rfind('.') + 1);
  auto const modules = nb::borrow<nb::dict>(PyImport_GetModuleDict());
  if (element_named(words) != 0 || !modules.contains("numpy")) return words;
  try {
    return nb::cast<std::string>(modules["numpy"].attr("dtype")(type).attr("name"));
  } catch (nb::python_error const&) {
    return words;
  }
}

/// What sums of products of these elements are formed in, unless another type is asked for.
pantile_element own_sum(pantile_element element) {
  switch (element) {
    case PANTILE_INT8:
    case PANTILE_UINT8: return PANTILE_INT32;
    case PANTILE_HALF:
    case PANTILE_BFLOAT16: return PANTILE_FLOAT;
    default: return element;
  }
}

/// The element type that dtype asks sums to be formed in, 0 for the operands' own.
pantile_element asked_sum(Call const& call, nb::handle dtype, pantile_element operands) {
  if (dtype.is_none() || dtype_name(dtype) == element_name(operands)) return 0;
  pantile_element const sum = element_named(dtype_name(dtype));
  if (sum == 0) call.refuse(PyExc_TypeError, "the library forms no sums in " + dtype_name(dtype));
  return sum;
}

// The C face's functions for operands of this kind.
auto product_of(pantile_matrix const&) { return std::pair(&pantile_matmul, &pantile_explain_matmul); }
auto product_of(pantile_batch const&) { return std::pair(&pantile_matmul_batched, &pantile_explain_matmul_batched); }

nb::object matmul(Call const& call, nb::handle given_a, nb::handle given_b, nb::handle out, nb::handle given_alpha,
                  nb::handle given_beta, nb::handle given_op_a, nb::handle given_op_b, nb::handle dtype) {
  Array a = import_array(call, "a", given_a, Access::read), b = import_array(call, "b", given_b, Access::read);
  auto const op_a = static_cast<pantile_op>(choice_of<Op>(call, "op_a", given_op_a));
  auto const op_b = static_cast<pantile_op>(choice_of<Op>(call, "op_b", given_op_b));
  bool const row = as_matrices(call, a, 0, op_a), column = as_matrices(call, b, 1, op_b);
  Extents const shape_a(a.extents.end() - 2, a.extents.end()), shape_b(b.extents.end() - 2, b.extents.end());
  std::int64_t const k_a = shape_a[transposes(op_a) ? 0 : 1], k_b = shape_b[transposes(op_b) ? 1 : 0];
  call.require(k_a == k_b, [&] {
    return "columns of op(a) (" + std::to_string(k_a) + ") must equal rows of op(b) (" + std::to_string(k_b) + ")";
  });
  pantile_element const asked = asked_sum(call, dtype, a.element), sum = asked == 0 ? own_sum(a.element) : asked;
  Scalar const alpha = scalar_of(call, "alpha", given_alpha, sum);
  Scalar const beta = scalar_of(call, "beta", given_beta, sum);
  call.require(!out.is_none() || PyObject_IsTrue(given_beta.ptr()) == 0,
               [] { return std::string("beta must be 0 where out is not given"); });

  Extents const batch = broadcast(call, a, leading(a), b, leading(b));
  Extents shape = batch;
  if (!row) shape.push_back(shape_a[transposes(op_a) ? 1 : 0]);
  if (!column) shape.push_back(shape_b[transposes(op_b) ? 0 : 1]);
  Array c = result_array(call, out, given_a, asked == 0 ? dtype_of(given_a) : nb::borrow(dtype), shape);
  if (row) c.insert_axis(batch.size());
  if (column) c.insert_axis(c.rank());
  repeat_leading(a, batch, 2);
  repeat_leading(b, batch, 2);

  pantile_matmul_options options{};
  options.size = sizeof options;
  options.op_a = op_a;
  options.op_b = op_b;
  options.sum = sum;
  return for_each_batch(
      call,
      [&]<class Operand>(pantile_exec* exec, pantile_explanation* explanation, Operand const& C, Operand const& A,
                         Operand const& B) {
        auto const [multiply, explain] = product_of(C);
        return explanation == nullptr ? multiply(exec, alpha.bytes, &A, &B, beta.bytes, &C, &options)
                                      : explain(exec, alpha.bytes, &A, &B, beta.bytes, &C, &options, explanation);
      },
      c, a, b);
}

constexpr char const* words = R"(out = alpha op_a(a) op_b(b) + beta out, as numpy.matmul has it.

a, b    arrays (..., m, k) and (..., k, n) after their ops, or vectors (k), of one dtype: float32, float64, complex64,
        complex128, int32, uint32, int64, uint64, int8, uint8, float16, bfloat16. Leading extents broadcast; all
        matrices are computed by one call of the library where the leading axes of a, b and out step evenly. Strides
        are taken as they are, but not negative ones in the last two axes
out     (..., m, n), written as it lies, and returned; None: a new array from the library of a
alpha   numbers of the sums' dtype; beta = 0 never reads out
beta
op_a    Op.NONE, TRANSPOSE, CONJUGATE, CONJUGATE_TRANSPOSE of the last two axes
op_b
dtype   in which sums are formed, and of a new out, as NumPy takes types or as a has them. None: of out as of a, of
        sums too, but float32 for 16 bits and int32 for 8. Others: float64 for float32, complex128 for complex64,
        float32 for 16 bits, int32 and uint32 for 8; an out that is given may have either type

ValueError: shapes do not fit; out is not writable, overlaps itself or an operand. TypeError: dtypes. Then, and whenever
else an exception is raised before the first product, nothing is written. Other threads run meanwhile. Integers wrap.
Explanations call a, b and out A, B and C.)";

}  // namespace

void define_matmul(nb::module_& module) {
  define(module, {"matmul", "explain_matmul"}, words, &matmul, any("a"), any("b"), any("out") = nb::none(),
         nb::kw_only(), any("alpha") = 1, any("beta") = 0, any("op_a") = Op::none, any("op_b") = Op::none,
         any("dtype") = nb::none());
}

}  // namespace pantile::python
