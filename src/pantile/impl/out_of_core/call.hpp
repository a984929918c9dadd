// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked plan.

#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/out_of_core_plan.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>

#include <cstddef>
#include <source_location>
#include <string>

namespace pantile::impl::out_of_core {

/// For the overloads that take any operands: do not compile, and say what to write.
template <class... Operands>
constexpr void refuse_operands() {
  static_assert(
      sizeof...(Operands) > 100000,
      "pantile::out_of_core: operands are places of tiles: ViewSource(A) or ViewStore(C) of a View, FileStore, "
      "or classes derived from TileSource, TileSink or TileStore");
}

/// "A 300x200, 8 bytes each"
inline std::string describe(char const* name, StoreShape const& shape) {
  return std::string(name) + " " + std::to_string(shape.rows) + "x" + std::to_string(shape.cols) + ", " +
         std::to_string(shape.element_bytes) + " bytes each";
}

/// What every plan must keep.
template <class Plan>
Plan checked(Checker const& check, Plan const& plan, OutOfCoreOptions const& options) {
  check.require(plan.memory <= options.memory, [&] {
    return "memory must be at least " + std::to_string(plan.memory) + " bytes, which the smallest tiles take, not " +
           std::to_string(options.memory);
  });
  check.require(options.first_tile >= 0 && options.first_tile <= plan.tiles(), [&] {
    return "first_tile must be from 0 to " + std::to_string(plan.tiles()) + ", the number of tiles, not " +
           std::to_string(options.first_tile);
  });
  return plan;
}

inline TransposePlan checked_plan(StoreShape const& a, StoreShape const& b, std::size_t word_bytes, bool conjugates,
                                  OutOfCoreOptions const& options, std::source_location where) {
  auto const operands = [&] { return describe("A", a) + ", " + describe("B", b); };
  Checker const check("out_of_core::transpose", where, operands);
  check.require(b.rows == a.cols && b.cols == a.rows, [] { return "B must be columns of A by rows of A"; });
  check.require(a.element_bytes == b.element_bytes, [] { return "elements of A and B must have as many bytes"; });
  check.require(a.element_bytes > 0 && a.element_bytes % word_bytes == 0,
                [&] { return "elements must be whole words of " + std::to_string(word_bytes) + " bytes"; });
  check.require(!conjugates || a.element_bytes == word_bytes,
                [] { return "only elements of one word can be conjugated"; });
  auto const plan = plan_transpose({.rows = a.rows,
                                    .cols = a.cols,
                                    .a_order = a.order,
                                    .b_order = b.order,
                                    .element_bytes = a.element_bytes,
                                    .memory = options.memory});
  return checked(check, plan, options);
}

inline MatmulStores stores_of(TileSource& a, TileSource& b, TileSource* c_in, TileSink& c, MatmulOptions const& how) {
  return {
      .a = a, .b = b, .c_in = c_in, .c = c, .a_transposed = transposes(how.op_a), .b_transposed = transposes(how.op_b)};
}

/// Bytes of the element types of a product.
struct ElementBytes {
  std::size_t input, output, accumulator;
};

/// Of op(X).
inline StoreShape operand_shape(TileSource const& x, bool is_transposed) {
  StoreShape const& s = x.shape();
  return is_transposed ? StoreShape{s.cols, s.rows, transposed(s.order), s.element_bytes} : s;
}

inline MatmulQuery query_of(MatmulStores const& stores, ElementBytes bytes, bool reads_a_and_b, std::size_t memory) {
  StoreShape const a = operand_shape(stores.a, stores.a_transposed), b = operand_shape(stores.b, stores.b_transposed);
  StoreShape const& c = stores.c.shape();
  return {.m = c.rows,
          .n = c.cols,
          .k = reads_a_and_b ? a.cols : 0,
          .a_order = a.order,
          .b_order = b.order,
          .c_order = c.order,
          .c_in_order = stores.c_in != nullptr ? stores.c_in->shape().order : c.order,
          .input_bytes = bytes.input,
          .output_bytes = bytes.output,
          .accumulator_bytes = bytes.accumulator,
          .reads_c = stores.c_in != nullptr,
          .memory = memory};
}

inline MatmulPlan checked_plan(MatmulStores const& stores, ElementBytes bytes, bool reads_a_and_b,
                               OutOfCoreOptions const& options, std::source_location where) {
  StoreShape const a = operand_shape(stores.a, stores.a_transposed), b = operand_shape(stores.b, stores.b_transposed);
  StoreShape const& c = stores.c.shape();
  StoreShape const& old = stores.c_in != nullptr ? stores.c_in->shape() : c;
  auto const operands = [&] {
    return describe("A", stores.a.shape()) + ", " + describe("B", stores.b.shape()) + ", " + describe("C", c);
  };
  Checker const check("out_of_core::matmul", where, operands);
  check_product(check, {a.rows, a.cols}, {b.rows, b.cols}, {c.rows, c.cols});
  check.require(old.rows == c.rows && old.cols == c.cols && old.element_bytes == c.element_bytes,
                [] { return "C's old values must be of C's shape and type"; });
  check.require(a.element_bytes == bytes.input && b.element_bytes == bytes.input && c.element_bytes == bytes.output,
                [&] {
                  return "elements of A and B must have " + std::to_string(bytes.input) + " bytes, those of C " +
                         std::to_string(bytes.output);
                });
  auto const plan = plan_matmul(query_of(stores, bytes, reads_a_and_b, options.memory));
  return checked(check, plan, options);
}

}  // namespace pantile::impl::out_of_core
