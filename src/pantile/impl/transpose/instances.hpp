// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  PANTILE_INSTANTIATE(KEYWORD, space, element): what transpose puts into the compiled library. No include
///        guard: it defines the macro for the file that includes it.
#undef PANTILE_INSTANTIATE
#define PANTILE_INSTANTIATE(KEYWORD, SPACE, ...)                      \
  PANTILE_INSTANTIATE_RUN(KEYWORD, SPACE, Problem, Plan, __VA_ARGS__) \
  PANTILE_INSTANTIATE_RUN(KEYWORD, SPACE, BatchProblem, BatchPlan, __VA_ARGS__)
#undef PANTILE_INSTANTIATE_RUN
#define PANTILE_INSTANTIATE_RUN(KEYWORD, SPACE, PROBLEM, PLAN, ...)                                         \
  KEYWORD void pantile::impl::transpose::run(                                                               \
      SPACE const&, pantile::impl::transpose::PROBLEM<pantile::impl::operand_t<SPACE, __VA_ARGS__>> const&, \
      pantile::impl::transpose::PLAN const&);
