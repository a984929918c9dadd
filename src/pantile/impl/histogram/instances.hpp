// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  PANTILE_INSTANTIATE(KEYWORD, space, element): what histogram puts into the compiled library, by the types
///        that bins are computed in; the rest is compiled where it is used. No include guard: it defines the macro for
///        the file that includes it.
#undef PANTILE_INSTANTIATE_HISTOGRAM
#define PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, INDEX, WEIGHT, RANK, ...)                 \
  KEYWORD bool pantile::impl::histogram::run(                                                   \
      SPACE const&, pantile::impl::histogram::Problem<INDEX, WEIGHT, __VA_ARGS__, RANK> const&, \
      pantile::impl::histogram::Plan const&, pantile::impl::histogram::Labels const&);
#undef PANTILE_INSTANTIATE
#define PANTILE_INSTANTIATE(KEYWORD, SPACE, ...)                                                                \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int32_t, pantile::impl::histogram::Absent, 1, __VA_ARGS__) \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int32_t, pantile::impl::histogram::Absent, 2, __VA_ARGS__) \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int64_t, pantile::impl::histogram::Absent, 1, __VA_ARGS__) \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int64_t, pantile::impl::histogram::Absent, 2, __VA_ARGS__) \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int32_t, __VA_ARGS__, 1, __VA_ARGS__)                      \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int32_t, __VA_ARGS__, 2, __VA_ARGS__)                      \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int64_t, __VA_ARGS__, 1, __VA_ARGS__)                      \
  PANTILE_INSTANTIATE_HISTOGRAM(KEYWORD, SPACE, std::int64_t, __VA_ARGS__, 2, __VA_ARGS__)
