// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operands.hpp>

#include <string>

namespace pantile::c {
namespace {

/// Is any of the operand's addresses further from the first one than a signed 64-bit number of bytes?
bool overflows(Operand const& operand) {
  pantile_matrix const& m = operand.matrix;
  std::int64_t rows = 0, cols = 0, elements = 0, bytes = 0;
  return m.rows > 0 && m.cols > 0 &&
         (__builtin_mul_overflow(m.rows - 1, m.row_stride, &rows) ||
          __builtin_mul_overflow(m.cols - 1, m.col_stride, &cols) || __builtin_add_overflow(rows, cols, &elements) ||
          __builtin_add_overflow(elements, 1, &elements) ||
          __builtin_mul_overflow(elements, static_cast<std::int64_t>(element_size(m.element)), &bytes) ||
          __builtin_mul_overflow(m.rows, m.cols, &elements));
}

/// The same of a batch's matrices that are a stride apart.
bool overflows(BatchOperand const& batch) {
  pantile_matrix const& whole = batch.matrix;
  std::int64_t steps = 0, bytes = 0;
  if (overflows(static_cast<Operand const&>(batch))) return true;
  if (batch.count == 0 || whole.rows == 0 || whole.cols == 0) return false;
  std::int64_t const reach = (whole.rows - 1) * whole.row_stride + (whole.cols - 1) * whole.col_stride + 1;
  return __builtin_mul_overflow(batch.count - 1, batch.stride, &steps) ||
         __builtin_add_overflow(steps, reach, &steps) ||
         __builtin_mul_overflow(steps, static_cast<std::int64_t>(element_size(whole.element)), &bytes) ||
         __builtin_mul_overflow(batch.count, whole.rows * whole.cols, &steps);
}

/// The member's value: "C.rows is -1, which must not be negative".
void require_not_negative(char const* name, char const* member, std::int64_t value) {
  require(value >= 0, [&] {
    return std::string(name) + "." + member + " is " + std::to_string(value) + ", which must not be negative";
  });
}

/// \param  place  the member with the address, such as ".data"
void check_alignment(std::string const& place, void const* data, pantile_element element, std::size_t alignment) {
  require(reinterpret_cast<std::uintptr_t>(data) % alignment == 0, [&] {
    return place + " must be a multiple of " + std::to_string(alignment) + " for " + element_name(element);
  });
}

void check_element(char const* name, void const* data, pantile_element element) {
  require(is_element(element),
          [&] { return std::string(name) + ".element is " + std::to_string(element) + ", which is no element type"; });
  check_alignment(std::string(name) + ".data", data, element, element_alignment(element));
}

template <class T>
void require_given(char const* name, T const* pointer) {
  require(pointer != nullptr, [&] { return std::string(name) + " must not be NULL"; });
}

template <class Checked>
Checked in_range(Checked const& operand) {
  require(!overflows(operand), [&] { return std::string(operand.name) + " must not reach further than 2^63 bytes"; });
  return operand;
}

}  // namespace

Operand checked(char const* name, pantile_matrix const* matrix) {
  require_given(name, matrix);
  check_element(name, matrix->data, matrix->element);
  require_not_negative(name, "rows", matrix->rows);
  require_not_negative(name, "cols", matrix->cols);
  require_not_negative(name, "row_stride", matrix->row_stride);
  require_not_negative(name, "col_stride", matrix->col_stride);
  return in_range(Operand{name, *matrix});
}

Operand checked(char const* name, pantile_vector const* vector) {
  require_given(name, vector);
  check_element(name, vector->data, vector->element);
  require_not_negative(name, "size", vector->size);
  require_not_negative(name, "stride", vector->stride);
  return in_range(Operand{name, {vector->data, vector->element, vector->size, 1, vector->stride, 0}});
}

BatchOperand checked(char const* name, pantile_batch const* batch) {
  require_given(name, batch);
  BatchOperand const operand{checked(name, &batch->matrix), batch->count, batch->stride, batch->addresses};
  require_not_negative(name, "count", batch->count);
  require_not_negative(name, "stride", batch->stride);
  bool const twice = batch->addresses != nullptr && (batch->matrix.data != nullptr || batch->stride != 0);
  require(!twice,
          [&] { return std::string(name) + ".matrix.data must be NULL and its stride 0 where it has addresses"; });
  return in_range(operand);
}

void require_aligned(BatchOperand const& operand) {
  for (std::int64_t p = 0; p < operand.count; ++p) {
    check_alignment(std::string(operand.name) + ".addresses[" + std::to_string(p) + "]", operand.addresses[p],
                    operand.matrix.element, element_alignment(operand.matrix.element));
  }
}

void require_whole_alignment(Operand const& operand) {
  auto const& [name, matrix] = operand;
  check_alignment(std::string(name) + ".data, on the device,", matrix.data, matrix.element,
                  element_size(matrix.element));
}

}  // namespace pantile::c
