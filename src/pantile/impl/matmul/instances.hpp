// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  PANTILE_INSTANTIATE(KEYWORD, space, element): what matmul puts into the compiled library. No include guard:
///        it defines the macro for the file that includes it.
#undef PANTILE_INSTANTIATE
#define PANTILE_INSTANTIATE(KEYWORD, SPACE, ...)                                                              \
  KEYWORD void pantile::impl::matmul::run(                                                                    \
      SPACE const&,                                                                                           \
      pantile::impl::matmul::Problem<                                                                         \
          pantile::impl::operand_t<SPACE, __VA_ARGS__>, pantile::impl::operand_t<SPACE, __VA_ARGS__>,         \
          pantile::impl::operand_t<SPACE, __VA_ARGS__>, pantile::impl::kokkos_element_t<__VA_ARGS__>> const&, \
      pantile::impl::matmul::Plan const&);
