// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  PANTILE_INSTANTIATE(KEYWORD, space, element): what transpose puts into the compiled library. No include
///        guard: it defines the macro for the file that includes it.
#undef PANTILE_INSTANTIATE
#define PANTILE_INSTANTIATE(KEYWORD, SPACE, ...)                                                            \
  KEYWORD void pantile::impl::transpose::run(                                                               \
      SPACE const&, pantile::impl::transpose::Problem<pantile::impl::operand_t<SPACE, __VA_ARGS__>> const&, \
      pantile::impl::transpose::Plan const&);
