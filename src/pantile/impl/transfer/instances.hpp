// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  PANTILE_INSTANTIATE(KEYWORD, space, element): what transfers put into the compiled library. No include guard:
///        it defines the macro for the file that includes it.
#undef PANTILE_INSTANTIATE
#define PANTILE_INSTANTIATE(KEYWORD, SPACE, ...)                                                     \
  KEYWORD void pantile::impl::transfer::run(SPACE const&, pantile::impl::Matrix<__VA_ARGS__> const&, \
                                            pantile::impl::Matrix<__VA_ARGS__ const> const&, std::string const&);
