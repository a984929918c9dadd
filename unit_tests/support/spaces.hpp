// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The execution spaces and element types that typed tests run over.

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::testing {

/// One case of a typed test.
template <class ExecutionSpace, class ElementType>
struct Case {
  using Exec = ExecutionSpace;
  using T = ElementType;
};

namespace detail {

template <class... Lists>
struct Join;
template <class... A>
struct Join<::testing::Types<A...>> {
  using type = ::testing::Types<A...>;
};
template <class... A, class... B, class... Rest>
struct Join<::testing::Types<A...>, ::testing::Types<B...>, Rest...> {
  using type = typename Join<::testing::Types<A..., B...>, Rest...>::type;
};

template <class Exec, class... T>
using CasesOn = ::testing::Types<Case<Exec, T>...>;

}  // namespace detail

/// Are typed tests repeated on the default host space where that is another than the default space?
#if defined(PANTILE_TEST_DEFAULT_SPACE_ONLY)
inline constexpr bool on_host_too = false;
#else
inline constexpr bool on_host_too = !std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;
#endif

/// Each element type on the default space and, where it is another, on the default host space.
template <class... T>
using CasesOf = typename std::conditional_t<on_host_too,
                                            detail::Join<detail::CasesOn<Kokkos::DefaultExecutionSpace, T...>,
                                                         detail::CasesOn<Kokkos::DefaultHostExecutionSpace, T...>>,
                                            detail::Join<detail::CasesOn<Kokkos::DefaultExecutionSpace, T...>>>::type;

/// All element types of the manifest.
using AllCases =
    CasesOf<float, double, Kokkos::complex<float>, Kokkos::complex<double>, std::int32_t, std::int64_t, std::uint32_t>;

}  // namespace pantile::testing
