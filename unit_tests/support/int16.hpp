// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Integers of 16 bits as an element type, as users add one of their own.

#include <pantile/element.hpp>

#include <cstdint>

template <>
struct pantile::element_traits<std::int16_t> {
  static constexpr char const* name = "int16";
  static constexpr pantile::ElementKind kind = pantile::ElementKind::integer;
  using accumulator_type = std::int32_t;
  using compute_type = std::uint32_t;
};
