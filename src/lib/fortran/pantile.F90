! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Pantile's operations on Fortran arrays. Arrays are taken as they lie, column by column, of any rank; so are their
! sections, a(1:n:2, :), which are not copied, but where they are components of an array of records. Sections with a
! negative step are refused. Each operation is a generic interface with a procedure for each combination of types and
! kinds below: others do not compile. What types do not say, such as ranks and extents, is checked by the call.
!
!   pantile_matmul(a, b, c, alpha, beta, op_a, op_b, algorithm, sum, exec, stat)
!     c = alpha op_a(a) op_b(b) + beta c, where alpha is 1 and beta 0 unless they are given. c overlaps neither a nor b.
!     Of arrays of rank 1, b is a column and a is a row; c is a row where a is one, else a column. Where c has rank 3,
!     each c(:, :, p) is the product of a(:, :, p) and b(:, :, p) by one call for all; a or b of rank 2 stand for every
!     p. sum, a constant pantile_sum_<type>, says in which type and kind sums are formed; alpha and beta have it too.
!   pantile_transpose(a, b, conjugate, algorithm, exec, stat)
!     b = a transposed, and conjugated where conjugate is true; of rank 3, b(:, :, p) = a(:, :, p) transposed.
!   pantile_transpose_in_place(a, conjugate, algorithm, exec, stat)
!     The same for a square a, or square a(:, :, p), in its own memory.
!   pantile_add(a, b, c, alpha, beta, algorithm, exec, stat)
!     c = alpha a + beta b, where both are 1 unless they are given. c is a or b itself, or overlaps neither.
!   pantile_histogram(indices, counts, weights, accumulate, ignored, algorithm, exec, stat)
!     How many indices, or tuples of them in indices(:, 1:rank(counts)), name each bin, or the sum of their weights, for
!     counts of rank 1, 2 or 3; added to what counts holds where accumulate is true. Indices count from zero: bins are
!     declared as counts(0:n - 1). Those without a bin are refused, or counted in `ignored`.
!   pantile_fill(c, value, algorithm, exec, stat)
!     c = value
!   pantile_reverse(x, y, exec, stat)
!     y = x(n:1:-1), both of rank 1; y does not overlap x.
!   pantile_reverse_in_place(x, exec, stat)
!     x = x(n:1:-1)
!   pantile_copy(destination, source, exec, stat)
!     destination = source, both of rank 1 or 2, each in memory of the host or of exec's device.
!   pantile_explain_<operation>
!     takes the operation's arguments and gives a text of what the call would do, and why; nothing is computed. It is
!     empty where stat tells of an error.
!   pantile_exec_create(exec, space, stream, stat), pantile_exec_fence(exec, stat), pantile_exec_destroy(exec)
!     An instance, type(pantile_exec), of pantile_space_default, pantile_space_host or pantile_space_device; on a device
!     stream, a type(c_ptr), is the caller's. The second waits for its work, the last one gives it back.
!
! alpha, beta and value are numbers of the arrays' type and kind. algorithm is one of the constants
! pantile_<operation>_<algorithm>, and pantile_automatic where it is absent. Numerics and aliasing: pantile/c/pantile.h.
!
! exec is an instance of pantile_exec_create. Without it a call runs on the host, and is done when it returns. On a
! device it is enqueued, pantile_exec_fence waits, and arrays, and ignored, lie in memory that the device reaches, made
! known to Fortran by c_f_pointer.
!
! stat, where it is present, becomes pantile_ok or another pantile_status of pantile/c/types.h, and then nothing has
! been written; pantile_error_message() says why. Where it is absent, an error stops the program with that sentence.

! Products of arrays of one type.
#define MODULE pantile_matmul_real32
#define OPERAND real(real32)
#include "products.inc"
#define MODULE pantile_matmul_real64
#define OPERAND real(real64)
#include "products.inc"
#define MODULE pantile_matmul_complex32
#define OPERAND complex(real32)
#include "products.inc"
#define MODULE pantile_matmul_complex64
#define OPERAND complex(real64)
#include "products.inc"
#define MODULE pantile_matmul_int8
#define OPERAND integer(int8)
#define TOTAL integer(int32)
#include "products.inc"
#define MODULE pantile_matmul_int32
#define OPERAND integer(int32)
#include "products.inc"
#define MODULE pantile_matmul_int64
#define OPERAND integer(int64)
#include "products.inc"

! Products with wider sums, which are asked for, and with wider results.
#define MODULE pantile_matmul_real32_by_real64
#define OPERAND real(real32)
#define TOTAL real(real64)
#define REQUIRED
#include "products.inc"
#define MODULE pantile_matmul_complex32_by_complex64
#define OPERAND complex(real32)
#define TOTAL complex(real64)
#define REQUIRED
#include "products.inc"
#define MODULE pantile_matmul_real32_into_real64
#define OPERAND real(real32)
#define RESULT real(real64)
#include "products.inc"
#define MODULE pantile_matmul_complex32_into_complex64
#define OPERAND complex(real32)
#define RESULT complex(real64)
#include "products.inc"
#define MODULE pantile_matmul_int8_into_int32
#define OPERAND integer(int8)
#define RESULT integer(int32)
#include "products.inc"

! All other operations but histograms.
#define MODULE pantile_real32
#define NUMBER real(real32)
#include "operations.inc"
#define MODULE pantile_real64
#define NUMBER real(real64)
#include "operations.inc"
#define MODULE pantile_complex32
#define NUMBER complex(real32)
#include "operations.inc"
#define MODULE pantile_complex64
#define NUMBER complex(real64)
#include "operations.inc"
#define MODULE pantile_int8
#define NUMBER integer(int8)
#define MOVED_ONLY
#include "operations.inc"
#define MODULE pantile_int32
#define NUMBER integer(int32)
#include "operations.inc"
#define MODULE pantile_int64
#define NUMBER integer(int64)
#include "operations.inc"

! Histograms.
#define INDEX integer(int32)
#define MODULE pantile_histogram_int32_real32
#define NUMBER real(real32)
#include "histograms.inc"
#define MODULE pantile_histogram_int32_real64
#define NUMBER real(real64)
#include "histograms.inc"
#define MODULE pantile_histogram_int32_int32
#define NUMBER integer(int32)
#include "histograms.inc"
#define MODULE pantile_histogram_int32_int64
#define NUMBER integer(int64)
#include "histograms.inc"
#undef INDEX
#define INDEX integer(int64)
#define MODULE pantile_histogram_int64_real32
#define NUMBER real(real32)
#include "histograms.inc"
#define MODULE pantile_histogram_int64_real64
#define NUMBER real(real64)
#include "histograms.inc"
#define MODULE pantile_histogram_int64_int32
#define NUMBER integer(int32)
#include "histograms.inc"
#define MODULE pantile_histogram_int64_int64
#define NUMBER integer(int64)
#include "histograms.inc"

module pantile
  use pantile_common
  use pantile_matmul_real32
  use pantile_matmul_real64
  use pantile_matmul_complex32
  use pantile_matmul_complex64
  use pantile_matmul_int8
  use pantile_matmul_int32
  use pantile_matmul_int64
  use pantile_matmul_real32_by_real64
  use pantile_matmul_complex32_by_complex64
  use pantile_matmul_real32_into_real64
  use pantile_matmul_complex32_into_complex64
  use pantile_matmul_int8_into_int32
  use pantile_real32
  use pantile_real64
  use pantile_complex32
  use pantile_complex64
  use pantile_int8
  use pantile_int32
  use pantile_int64
  use pantile_histogram_int32_real32
  use pantile_histogram_int32_real64
  use pantile_histogram_int32_int32
  use pantile_histogram_int32_int64
  use pantile_histogram_int64_real32
  use pantile_histogram_int64_real64
  use pantile_histogram_int64_int32
  use pantile_histogram_int64_int64
end module
