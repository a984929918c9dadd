// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked plan.

#include <pantile/error.hpp>
#include <pantile/impl/out_of_core/options.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

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

/// Throws Error unless the rule holds.
class Rules {
 public:
  Rules(char const* operation, std::string operands, std::source_location where)
      : m_operation(operation), m_operands(std::move(operands)), m_where(where) {}

  void require(bool holds, std::string const& rule) const {
    if (!holds) throw Error(m_operation, rule, m_operands, m_where);
  }

  /// What every plan must keep.
  template <class Plan>
  void require_plan(Plan const& plan, OutOfCoreOptions const& options) const {
    require(plan.memory <= options.memory, "memory must be at least " + std::to_string(plan.memory) +
                                               " bytes, which the smallest tiles take, not " +
                                               std::to_string(options.memory));
    require(options.first_tile >= 0 && options.first_tile <= plan.tiles(),
            "first_tile must be from 0 to " + std::to_string(plan.tiles()) + ", the number of tiles, not " +
                std::to_string(options.first_tile));
  }

 private:
  char const* m_operation;
  std::string m_operands;
  std::source_location m_where;
};

inline TransposePlan checked_plan(StoreShape const& a, StoreShape const& b, std::size_t word_bytes, bool conjugates,
                                  OutOfCoreOptions const& options, std::source_location where) {
  Rules const rules("out_of_core::transpose", describe("A", a) + ", " + describe("B", b), where);
  rules.require(b.rows == a.cols && b.cols == a.rows, "B must be columns of A by rows of A");
  rules.require(a.element_bytes == b.element_bytes, "elements of A and B must have as many bytes");
  rules.require(a.element_bytes > 0 && a.element_bytes % word_bytes == 0,
                "elements must be whole words of " + std::to_string(word_bytes) + " bytes");
  rules.require(!conjugates || a.element_bytes == word_bytes, "only elements of one word can be conjugated");
  auto const plan = plan_transpose({.rows = a.rows,
                                    .cols = a.cols,
                                    .a_order = a.order,
                                    .b_order = b.order,
                                    .element_bytes = a.element_bytes,
                                    .memory = options.memory});
  rules.require_plan(plan, options);
  return plan;
}

inline MatmulStores stores_of(TileSource& a, TileSource& b, TileSource* c_in, TileSink& c, MatmulOptions const& how) {
  return {
      .a = a, .b = b, .c_in = c_in, .c = c, .a_transposed = transposes(how.op_a), .b_transposed = transposes(how.op_b)};
}

/// Bytes of the element types of a product.
struct ElementBytes {
  std::size_t input, output, accumulator;
};

inline MatmulQuery query_of(MatmulStores const& stores, ElementBytes bytes, bool reads_a_and_b, std::size_t memory) {
  StoreShape const &a = stores.a.shape(), &b = stores.b.shape(), &c = stores.c.shape();
  return {.m = c.rows,
          .n = c.cols,
          .k = !reads_a_and_b        ? 0
               : stores.a_transposed ? a.rows
                                     : a.cols,
          .a_order = stores.a_transposed ? transposed(a.order) : a.order,
          .b_order = stores.b_transposed ? transposed(b.order) : b.order,
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
  StoreShape const &a = stores.a.shape(), &b = stores.b.shape(), &c = stores.c.shape();
  StoreShape const& old = stores.c_in != nullptr ? stores.c_in->shape() : c;
  Rules const rules("out_of_core::matmul", describe("A", a) + ", " + describe("B", b) + ", " + describe("C", c), where);
  std::int64_t const m = stores.a_transposed ? a.cols : a.rows, k = stores.a_transposed ? a.rows : a.cols;
  std::int64_t const inner = stores.b_transposed ? b.cols : b.rows, n = stores.b_transposed ? b.rows : b.cols;
  rules.require(k == inner, "columns of op(A) (" + std::to_string(k) + ") must equal rows of op(B) (" +
                                std::to_string(inner) + ")");
  rules.require(c.rows == m && c.cols == n,
                "C must be " + std::to_string(m) + "x" + std::to_string(n) + " (rows of op(A) by columns of op(B))");
  rules.require(old.rows == m && old.cols == n && old.element_bytes == c.element_bytes,
                "C's old values must be of C's shape and type");
  rules.require(a.element_bytes == bytes.input && b.element_bytes == bytes.input && c.element_bytes == bytes.output,
                "elements of A and B must have " + std::to_string(bytes.input) + " bytes, those of C " +
                    std::to_string(bytes.output));
  auto const plan = plan_matmul(query_of(stores, bytes, reads_a_and_b, options.memory));
  rules.require_plan(plan, options);
  return plan;
}

}  // namespace pantile::impl::out_of_core
