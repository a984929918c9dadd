// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What callers write -> what is meant, and the position of the first argument that is wrong.

#include <blas/element.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace pantile::blas {

enum class Order { columns, rows };

/// Fortran's letters, in either case.
inline char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

inline std::optional<Operator> operator_of(char letter) {
  switch (upper(letter)) {
    case 'N': return Operator{false, false};
    case 'T': return Operator{true, false};
    case 'C': return Operator{true, true};
    case 'R': return Operator{false, true};
    default: return {};
  }
}

inline std::optional<Order> order_of(char letter) {
  switch (upper(letter)) {
    case 'C': return Order::columns;
    case 'R': return Order::rows;
    default: return {};
  }
}

/// CBLAS' numbers.
inline std::optional<Operator> operator_of(int number) {
  constexpr std::string_view letters = "NTCR";
  constexpr int first = 111;
  return number >= first && number < first + 4 ? operator_of(letters[number - first]) : std::nullopt;
}

inline std::optional<Order> order_of(int number) {
  if (number == 101) return Order::rows;
  if (number == 102) return Order::columns;
  return {};
}

/// The integers of a column-major product, as Fortran has them.
struct GemmShape {
  std::optional<Operator> op_a, op_b;
  int m, n, k, lda, ldb, ldc;

  [[nodiscard]] Index rows_a() const { return op_a->transposes ? k : m; }
  [[nodiscard]] Index cols_a() const { return op_a->transposes ? m : k; }
  [[nodiscard]] Index rows_b() const { return op_b->transposes ? n : k; }
  [[nodiscard]] Index cols_b() const { return op_b->transposes ? k : n; }

  /// Position in ?gemm_ of the first bad argument, checked in the reference BLAS' order; 0 for none.
  [[nodiscard]] int first_bad() const {
    if (!op_a) return 1;
    if (!op_b) return 2;
    if (m < 0) return 3;
    if (n < 0) return 4;
    if (k < 0) return 5;
    if (lda < std::max<Index>(1, rows_a())) return 8;
    if (ldb < std::max<Index>(1, rows_b())) return 10;
    if (ldc < std::max(1, m)) return 13;
    return 0;
  }
};

/// The integers of a scaled copy.
struct CopyShape {
  std::optional<Order> order;
  std::optional<Operator> op;
  int rows, cols, lda, ldb;

  /// Extents of A and of the result as column-major matrices.
  [[nodiscard]] Index a_rows() const { return *order == Order::columns ? rows : cols; }
  [[nodiscard]] Index a_cols() const { return *order == Order::columns ? cols : rows; }
  [[nodiscard]] Index b_rows() const { return op->transposes ? a_cols() : a_rows(); }
  [[nodiscard]] Index b_cols() const { return op->transposes ? a_rows() : a_cols(); }

  /// Position of the first bad argument; ldb is the 9th out of place and the 8th in place.
  [[nodiscard]] int first_bad(int position_of_ldb) const {
    if (!order) return 1;
    if (!op) return 2;
    if (rows < 0) return 3;
    if (cols < 0) return 4;
    if (lda < std::max<Index>(1, a_rows())) return 7;
    if (ldb < std::max<Index>(1, b_rows())) return position_of_ldb;
    return 0;
  }
};

}  // namespace pantile::blas
