// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {
namespace {

/// A product for each line.
template <class... Lines>
HeldProducts of_lines(Table<Lines...>) {
  static constexpr HeldProduct lines[] = {held<typename Lines::Type>(Lines::number)...};
  return lines;
}

}  // namespace

HeldProducts products_of_one_type() { return of_lines(MatrixElements()); }

}  // namespace pantile::c
