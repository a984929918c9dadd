// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matmul/path_tests.hpp>

#include <type_traits>

namespace pantile::testing {

/// The compiler's type of 16 bits, else Kokkos', which may be float.
template <class Own, class Other>
using Either = std::conditional_t<std::is_same_v<Own, impl::NoSuchType>, Other, Own>;
using Half = Either<impl::CompilerHalf, Kokkos::Experimental::half_t>;
using Brain = Either<impl::CompilerBrain, Kokkos::Experimental::bhalf_t>;

using Elements = ::testing::Types<Types<Half, Half, float>, Types<Half>, Types<Brain, Brain, float>, Types<Brain>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Elements, MatmulPaths, Elements);

}  // namespace pantile::testing
