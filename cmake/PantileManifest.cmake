# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The one list of what the compiled library holds. A line is an operation and its element types; a unit is generated
# for each pair, and an extern declaration so that users' files do not compile it again. Types that are not listed
# still work: they are compiled in the user's file.
#
# Every operation <op> has src/pantile/impl/<op>/instances.hpp, which defines
# PANTILE_INSTANTIATE(KEYWORD, SPACE, ELEMENT...)
# for the functions behind its face.

set(Pantile_ELEMENTS
    float
    double
    Kokkos::complex<float>
    Kokkos::complex<double>
    std::int32_t
    std::int64_t
    std::uint32_t
)

set(Pantile_OPERATIONS matmul transpose add transfer histogram reverse)
set(Pantile_matmul_ELEMENTS ${Pantile_ELEMENTS})
set(Pantile_transpose_ELEMENTS ${Pantile_ELEMENTS})
set(Pantile_add_ELEMENTS ${Pantile_ELEMENTS})
set(Pantile_transfer_ELEMENTS ${Pantile_ELEMENTS})
# The types that bins are computed in; signed counts use the code of the unsigned ones.
set(Pantile_histogram_ELEMENTS std::uint32_t std::uint64_t float double)
set(Pantile_reverse_ELEMENTS ${Pantile_ELEMENTS})
