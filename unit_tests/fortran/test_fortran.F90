! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! test_fortran [stop|components]: the module pantile on every type and kind, then what it refuses; with "stop" an error
! without stat, with "components" those arrays that the compiler copies.
program test_fortran
  use, intrinsic :: iso_c_binding, only: c_associated, c_loc
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  use pantile
  implicit none

  interface fill_numbers
    procedure :: fill_real32, fill_real64, fill_complex32, fill_complex64, fill_int32, fill_int64
  end interface
  integer :: failures = 0, state = 20210
  character(len=20) :: asked

  call get_command_argument(1, asked)
  if (asked == "stop") call stop_without_stat()
  if (asked == "components") then
    call test_components()
    if (failures > 0) error stop "something does not hold"
    stop "all holds"
  end if
  call test_real32()
  call test_real64()
  call test_complex32()
  call test_complex64()
  call test_int32()
  call test_int64()
  call test_conjugation()
  call test_bytes()
  call test_sums()
  call test_histograms()
  call test_algorithms()
  call test_explanations()
  call test_instances()
  call test_errors()
  if (failures > 0) error stop "something does not hold"
  print *, "all holds"

contains

  ! From -4 to 4.
  integer function next_number()
    state = iand(state * 1103 + 12345, 1048575)
    next_number = modulo(state / 64, 9) - 4
  end function

  subroutine fill_real32(a)
    real(real32), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((real(next_number(), real32), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine
  subroutine fill_real64(a)
    real(real64), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((real(next_number(), real64), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine
  subroutine fill_complex32(a)
    complex(real32), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((cmplx(next_number(), next_number(), real32), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine
  subroutine fill_complex64(a)
    complex(real64), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((cmplx(next_number(), next_number(), real64), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine
  subroutine fill_int32(a)
    integer(int32), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((next_number(), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine
  subroutine fill_int64(a)
    integer(int64), intent(out) :: a(:, :)
    integer :: i, j
    a = reshape([((int(next_number(), int64), i=1, size(a, 1)), j=1, size(a, 2))], shape(a))
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print *, "does not hold: ", what
  end subroutine

  ! An explanation that begins with these words, is whole, and has no zero of C.
  subroutine check_told(text, words)
    character(len=*), intent(in) :: text, words
    if (index(text, words) == 1 .and. index(text, achar(0)) == 0 .and. text(len(text):) == achar(10)) return
    failures = failures + 1
    print *, "'", text, "' instead of '", words, "...'"
  end subroutine

  subroutine check_refused(got, status, words)
    integer, intent(in) :: got, status
    character(len=*), intent(in) :: words
    if (got == status .and. index(pantile_error_message(), words) == 1) return
    failures = failures + 1
    print *, "status ", got, " instead of ", status, ", '", pantile_error_message(), "' instead of '", words, "'"
  end subroutine

#define NAME test_real32
#define NUMBER real(real32)
#include "typed_tests.inc"
#undef NAME
#undef NUMBER
#define NAME test_real64
#define NUMBER real(real64)
#include "typed_tests.inc"
#undef NAME
#undef NUMBER
#define NAME test_complex32
#define NUMBER complex(real32)
#include "typed_tests.inc"
#undef NAME
#undef NUMBER
#define NAME test_complex64
#define NUMBER complex(real64)
#include "typed_tests.inc"
#undef NAME
#undef NUMBER
#define NAME test_int32
#define NUMBER integer(int32)
#include "typed_tests.inc"
#undef NAME
#undef NUMBER
#define NAME test_int64
#define NUMBER integer(int64)
#include "typed_tests.inc"

  subroutine test_conjugation()
    complex(real64) :: a(6, 5), b(6, 4), c(5, 4), turned(5, 6), square(5, 5), before(5, 5)
    call fill_numbers(a)
    call fill_numbers(b)
    call fill_numbers(square)
    before = square
    call pantile_matmul(a, b, c, op_a=pantile_op_conjugate_transpose, op_b=pantile_op_conjugate)
    call check(all(c == matmul(conjg(transpose(a)), conjg(b))), "conjugated operands")
    call pantile_transpose(a, turned, conjugate=.true.)
    call check(all(turned == conjg(transpose(a))), "conjugate transpose")
    call pantile_transpose_in_place(square, conjugate=.true.)
    call check(all(square == conjg(transpose(before))), "conjugate transpose in place")
  end subroutine

  subroutine test_bytes()
    integer(int8) :: a(3, 70), b(70, 2), narrow(3, 2), turned(70, 3)
    integer(int32) :: wide(3, 2), wanted(3, 2)
    integer :: i
    a = reshape([(int(modulo(37 * i, 256) - 128, int8), i=1, size(a))], shape(a))
    b = reshape([(int(modulo(91 * i, 256) - 128, int8), i=1, size(b))], shape(b))
    wanted = matmul(int(a, int32), int(b, int32))
    call pantile_matmul(a, b, wide)
    call check(all(wide == wanted), "products of bytes in 32 bits")
    call pantile_matmul(a, b, wide, alpha=3, beta=-2)
    call check(all(wide == wanted), "scaled products of bytes")
    call pantile_matmul(a, b, narrow, alpha=3)
    call check(all(modulo(narrow - 3 * wanted, 256) == 0), "products of bytes modulo 2^8")
    call pantile_transpose(a, turned)
    call check(all(turned == transpose(a)), "transposition of bytes")
    call pantile_copy(turned(1:3, :), turned(4:6, :))
    call check(all(turned(1:3, :) == turned(4:6, :)) .and. all(turned(4:, :) == transpose(a(:, 4:))), "copied bytes")
  end subroutine

  ! 2^24 + 1 is no number of kind real32, but a sum of kind real64.
  subroutine test_sums()
    real(real32) :: a(1, 3), b(3, 1) = 1, c(1, 1) = -1
    real(real64) :: d(1, 1) = -1
    complex(real32) :: z(1, 3), batch(1, 1, 2) = -1
    complex(real64) :: y(1, 1) = -1
    integer(int8) :: bytes(2, 2) = 100
    integer(int32) :: wide(2, 2) = -1
    a(1, :) = [2.0**24, 1.0, -2.0**24]
    call pantile_matmul(a, b, c)
    call check(c(1, 1) == 0, "sums of the arrays' kind")
    call pantile_matmul(a, b, c, alpha=2.0_real64, beta=1.0_real64, sum=pantile_sum_real64)
    call check(c(1, 1) == 2, "wider sums")
    call pantile_matmul(a, b, d)
    call check(d(1, 1) == 1, "wider sums into their own kind")
    z = cmplx(0, a)
    call pantile_matmul(z, cmplx(b), batch, sum=pantile_sum_complex_real64)
    call check(all(batch == (0, 1)), "wider sums of a batch")
    call pantile_matmul(z, cmplx(b), y, alpha=(0.0_real64, 1.0_real64))
    call check(y(1, 1) == -1, "complex sums into their own kind")
    call pantile_matmul(bytes, bytes, wide, sum=pantile_sum_int32)
    call check(all(wide == 20000), "sums of bytes")
    call check_told(pantile_explain_matmul(a, b, c, sum=pantile_sum_real64), "pantile::matmul[")
  end subroutine

  subroutine test_histograms()
    integer(int32) :: indices(10) = [0, 1, 3, 1, 2, 0, 3, 3, 1, 9], counts(0:3) = 7, pairs(5, 2), grid(0:1, 0:2)
    integer(int32) :: triples(5, 3), box(0:1, 0:2, 0:3), wanted(0:1, 0:2, 0:3) = 0, apart(0:3, 0:2, 0:7) = -1, t
    integer(int64) :: long_indices(10), ignored = 5
    real(real64) :: weights(10) = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], sums(0:3)
    integer :: s
    call pantile_histogram(indices, counts, stat=s)
    call check_refused(s, pantile_invalid, "pantile_histogram: sample 9 has index (9), which is outside the 4 bins")
    call check(all(counts == 7), "refused counts are untouched")
    call pantile_histogram(indices(1:9), counts)
    call check(all(counts == [2, 3, 1, 3]), "counts")
    call pantile_histogram(indices(1:9:2), counts, accumulate=.true.)
    call check(all(counts == [3, 4, 2, 5]), "accumulated counts of a section")
    call pantile_histogram(indices, counts, ignored=ignored)
    call check(all(counts == [2, 3, 1, 3]) .and. ignored == 1, "ignored sample")
    call pantile_histogram(indices(1:9), sums, weights(1:9))
    call check(all(sums == [33, 266, 16, 196]), "sums of weights")
    long_indices = indices
    call pantile_histogram(long_indices(1:9), sums, weights(1:9))
    call check(all(sums == [33, 266, 16, 196]), "sums of weights by long indices")
    pairs(:, 1) = [0, 1, 0, 1, 0]
    pairs(:, 2) = [2, 0, 2, 1, 0]
    call pantile_histogram(pairs, grid)
    call check(all(grid == reshape([1, 1, 0, 1, 2, 0], [2, 3])), "pairs of indices")
    triples(:, 1:2) = pairs
    triples(:, 3) = [3, 1, 3, 0, 2]
    do t = 1, 5
      wanted(triples(t, 1), triples(t, 2), triples(t, 3)) = wanted(triples(t, 1), triples(t, 2), triples(t, 3)) + 1
    end do
    call pantile_histogram(triples, box)
    call check(all(box == wanted), "triples of indices")
    call pantile_histogram(triples, apart(0:3:2, :, 1:7:2), [0, 0, 1, 1, 1])
    call check(apart(0, 2, 7) == 1 .and. sum(apart) == 3 - 72 .and. apart(1, 0, 0) == -1, "weights in a section")
    call check_told(pantile_explain_histogram(triples, box), "pantile::histogram[")
    call pantile_histogram(pairs, box, stat=s)
    call check_refused(s, pantile_invalid, "pantile_histogram: indices must have as many columns as counts has")
    call pantile_histogram(spread(indices(1:9), 2, 2) * 0, counts, stat=s)
    call check_refused(s, pantile_invalid, "pantile_histogram: indices must have as many columns as counts has")
    call pantile_histogram(indices(1:9) * 0, grid(:, 0:0), stat=s)
    call check_refused(s, pantile_invalid, "pantile_histogram: indices must have as many columns as counts has")
  end subroutine

  ! Each is computed with, and told of by its own name.
  subroutine test_algorithms()
    character(len=11), parameter :: matmuls(4) = [character(len=11) :: "naive", "grid_stride", "tiled", "blocked"]
    character(len=8), parameter :: transposes(4) = [character(len=8) :: "naive", "tiled", "padded", "blocked"]
    real(real64) :: a(40, 33), b(33, 35), c(40, 35), turned(33, 40), square(40, 40), before(40, 40)
    integer(int32) :: indices(300), counts(0:4), wanted(0:4)
    integer :: i
    call check(all([pantile_matmul_naive, pantile_matmul_grid_stride, pantile_matmul_tiled, pantile_matmul_blocked] &
      == [1, 2, 3, 4]), "numbers of algorithms")
    call fill_numbers(a)
    call fill_numbers(b)
    do i = 1, 4
      call pantile_matmul(a, b, c, algorithm=i)
      call check(all(c == matmul(a, b)), "product, "//matmuls(i))
      call check_told(pantile_explain_matmul(a, b, c, algorithm=i), "pantile::matmul["//trim(matmuls(i))//",")
      call pantile_transpose(a, turned, algorithm=i)
      call check(all(turned == transpose(a)), "transposition, "//transposes(i))
      call check_told(pantile_explain_transpose(a, turned, algorithm=i), &
        "pantile::transpose["//trim(transposes(i))//",")
      call fill_numbers(square)
      before = square
      call check_told(pantile_explain_transpose_in_place(square, algorithm=i), &
        "pantile::transpose["//trim(transposes(i))//"_in_place,")
      call check(all(square == before), "an explained transposition in place leaves the matrix")
      call pantile_transpose_in_place(square, algorithm=i)
      call check(all(square == transpose(before)), "transposition in place, "//transposes(i))
      call pantile_add(c, c, c, alpha=0.5_real64, beta=0.0_real64, algorithm=i)
      call check(all(c == 0.5_real64 * matmul(a, b)), "sum, "//matmuls(i))
      call check_told(pantile_explain_add(c, c, c, algorithm=i), "pantile::add["//trim(matmuls(i))//",")
    end do
    indices = [(modulo(7 * i, 5), i=1, size(indices))]
    wanted = 60
    call pantile_histogram(indices, counts, algorithm=pantile_histogram_global_atomic)
    call check(all(counts == wanted), "counts by atomics")
    call pantile_histogram(indices, counts, accumulate=.true., algorithm=pantile_histogram_scratch)
    call check(all(counts == 2 * wanted), "counts in scratch")
    call check_told(pantile_explain_histogram(indices, counts, algorithm=pantile_histogram_global_atomic), &
      "pantile::histogram[global_atomic,")
    call check_told(pantile_explain_histogram(indices, counts, algorithm=pantile_histogram_scratch), &
      "pantile::histogram[scratch,")
    call pantile_fill(c, 3.0_real64, algorithm=pantile_fill_grid_stride)
    call check(all(c == 3), "filled by a grid stride")
    call check_told(pantile_explain_fill(c, 1.0_real64, algorithm=pantile_fill_grid_stride), &
      "pantile::fill[grid_stride,")
    call check_told(pantile_explain_fill(c, 1.0_real64, algorithm=pantile_fill_naive), "pantile::fill[naive,")
    call check_told(pantile_explain_reverse(c(:, 1), c(:, 2)), "pantile::reverse[")
    call check_told(pantile_explain_reverse_in_place(c(:, 1)), "pantile::reverse[")
    call check_told(pantile_explain_copy(c(:, 1), c(:, 2)), "pantile::transfer[")
    call check(all(c == 3) .and. all(counts == 2 * wanted), "explained calls have written nothing")
  end subroutine

  ! The call's own words, and nothing where there was an error.
  subroutine test_explanations()
    real(real64) :: a(6, 5) = 1, b(5, 4) = 2, c(6, 4) = -1, x(5) = 1, y(6) = -1
    real(real64) :: left(2, 3, 50) = 1, right(3, 2, 50) = 1, many(2, 2, 50) = -1, turned(3, 2, 50) = -1
    character(len=:), allocatable :: text
    integer :: s
    text = pantile_explain_matmul(a, b, c, alpha=2.0_real64, beta=1.0_real64, stat=s)
    call check_told(text, "pantile::matmul[")
    call check(s == pantile_ok .and. index(text, "double") > 0, "a product explained")
    call check(text == pantile_explain_matmul(a, b, c, alpha=2.0_real64, beta=1.0_real64), "the same again")
    text = pantile_explain_matmul(b, a, c, op_a=pantile_op_transpose, op_b=pantile_op_transpose, stat=s)
    call check_refused(s, pantile_invalid, "pantile_explain_matmul: C must be 4x6")
    call check_told(pantile_explain_matmul(a, x, y), "pantile::matmul[")
    text = pantile_explain_matmul(left, right, many)
    call check_told(text, "pantile::matmul[")
    call check(index(text, "a batch") > 0, "a batch explained")
    call check_told(pantile_explain_transpose(left, turned, conjugate=.true.), "pantile::transpose[")
    call check(text /= pantile_explain_transpose_in_place(left(:, 1:2, :)), "a batch in place explained")
    text = pantile_explain_matmul(a, b, c, algorithm=9, stat=s)
    call check_refused(s, pantile_invalid, "pantile_explain_matmul: algorithm must be automatic, naive,")
    call check(len(text) == 0, "a refused call has no explanation")
    text = pantile_explain_transpose(a, c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_explain_transpose: B must be 5x6 (columns of A by rows of A)")
    call check(len(text) == 0, "a refused transposition has no explanation")
    text = pantile_explain_matmul(left(:, :, 50:1:-1), right, many, stat=s)
    call check_refused(s, pantile_invalid, "pantile_explain_matmul: a must not be a section with a negative step")
    call pantile_matmul(a, b, c, algorithm=9, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: algorithm must be automatic, naive,")
    call pantile_transpose(left, turned, algorithm=-1, stat=s)
    call check_refused(s, pantile_invalid, "pantile_transpose: algorithm must be automatic, naive,")
    call check(all(c == -1) .and. all(y == -1) .and. all(many == -1) .and. all(turned == -1), &
      "explanations have written nothing")
  end subroutine

  ! The default instance, one that is made, and their errors.
  subroutine test_instances()
    real(real64), target :: a(6, 5)
    real(real64) :: b(5, 4), c(6, 4), wanted(6, 4), x(5), y(5)
    integer(int32) :: counts(0:4)
    type(pantile_exec) :: default, exec
    integer :: s
    call fill_numbers(a)
    call fill_numbers(b)
    wanted = matmul(a, b)
    call pantile_exec_create(exec, pantile_space_host)
    call check(c_associated(exec%handle), "an instance of the host")
    call pantile_matmul(a, b, c, exec=exec)
    call check(all(c == wanted), "a product on an instance")
    call pantile_matmul(a, b, c, beta=1.0_real64, exec=default)
    call pantile_exec_fence(default)
    call check(all(c == 2 * wanted), "a product on the default instance")
    call pantile_add(c, c, c, beta=0.5_real64, exec=exec)
    call pantile_fill(x, 3.0_real64, exec=exec)
    call pantile_reverse(x, y, exec=exec)
    call pantile_reverse_in_place(y, exec=exec)
    call check(all(c == 3 * wanted) .and. all(y == 3), "sums, fillings and reversals on an instance")
    call pantile_transpose(a(1:4, 1:4), c(1:4, 1:4), exec=exec)
    call pantile_transpose_in_place(c(1:4, 1:4), exec=exec)
    call check(all(c(1:4, 1:4) == a(1:4, 1:4)), "transpositions on an instance")
    call pantile_histogram([0, 2, 2], counts, exec=exec)
    call check(all(counts == [1, 0, 2, 0, 0]), "counts on an instance")
    call check(pantile_explain_matmul(a, b, c, exec=exec) == pantile_explain_matmul(a, b, c), "the host's explanation")
    call pantile_exec_fence(exec, stat=s)
    call check(s == pantile_ok, "a fence")
    call pantile_exec_destroy(exec)
    call check(.not. c_associated(exec%handle), "an instance that is gone")
    call pantile_exec_create(exec, 3, stat=s)
    call check_refused(s, pantile_invalid, "pantile_exec_create: space is 3, which is no space")
    call pantile_exec_create(exec, pantile_space_host, stream=c_loc(a), stat=s)
    call check_refused(s, pantile_invalid, "pantile_exec_create: stream must be NULL: hosts have none")
    call check(.not. c_associated(exec%handle), "an instance that was refused")
  end subroutine

  subroutine test_errors()
    real(real64) :: a(4, 3) = 1, b(3, 5) = 2, c(4, 5) = -1, cube(2, 2, 2) = 0, x(4) = 1
    real(real64), allocatable, save :: nothing(:, :)
    real(real64), pointer :: nowhere(:, :, :) => null()
    integer :: s
    call pantile_matmul(a, b(1:2, :), c, stat=s)
    call check_refused(s, pantile_invalid, &
      "pantile_matmul: columns of op(A) (3) must equal rows of op(B) (2); A 4x3 strides (1,4)")
    call pantile_matmul(a(4:1:-1, :), b, c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: a must not be a section with a negative step")
    call pantile_matmul(a, b, c(:, 5:1:-1), stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: c must not be a section with a negative step")
    call pantile_matmul(a, b, c, op_a=9, stat=s)
    call check_refused(s, pantile_invalid, &
      "pantile_matmul: op_a must be none, transpose, conjugate or conjugate_transpose, not 9")
    call pantile_matmul(cube, b, c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: a must be an array of rank 1 or 2")
    call pantile_matmul(a, x, cube, stat=s)
    call check_refused(s, pantile_invalid, &
      "pantile_matmul: b must be an array of rank 2 or 3 where the result has rank 3")
    call pantile_matmul(cube(:, :, 2:1:-1), cube, cube, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: a must not be a section with a negative step")
    call pantile_matmul(cube, cube, cube, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: C must not overlap A")
    call pantile_transpose(cube(:, 1:1, :), cube, stat=s)
    call check_refused(s, pantile_invalid, "pantile_transpose: B must be 1x2 (columns of A by rows of A)")
    call pantile_transpose_in_place(cube(:, 1:1, :), stat=s)
    call check_refused(s, pantile_invalid, "pantile_transpose_in_place: a must hold square matrices")
    call pantile_matmul(1.0_real64, b, c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: a must be an array of rank 1 or 2")
    call pantile_matmul(a, c(1:3, :), c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_matmul: C must not overlap B")
    call pantile_matmul(nothing, b, c, stat=s)
    call check_refused(s, pantile_invalid, &
      "pantile_matmul: a must be allocated, or a pointer that is associated")
    call pantile_matmul(a, nowhere, cube, stat=s)
    call check_refused(s, pantile_invalid, &
      "pantile_matmul: b must be allocated, or a pointer that is associated")
    call pantile_transpose(a, c, stat=s)
    call check_refused(s, pantile_invalid, "pantile_transpose: B must be 3x4 (columns of A by rows of A)")
    call pantile_transpose_in_place(a, stat=s)
    call check_refused(s, pantile_invalid, "pantile_transpose_in_place: A must be square")
    call pantile_reverse(a, x, stat=s)
    call check_refused(s, pantile_invalid, "pantile_reverse: x must be an array of rank 1")
    call pantile_reverse_in_place(a, stat=s)
    call check_refused(s, pantile_invalid, "pantile_reverse_in_place: x must be an array of rank 1")
    call pantile_copy(c, a, stat=s)
    call check_refused(s, pantile_invalid, "pantile_copy: destination must have the extents of source (4x3)")
    call pantile_histogram([1, 2], x, c(1:2, 1:1), stat=s)
    call check_refused(s, pantile_invalid, "pantile_histogram: weights must be an array of rank 1")
    call check(all(a == 1) .and. all(b == 2) .and. all(c == -1) .and. all(x == 1), "refused calls have written nothing")
  end subroutine

  ! Components of an array of records: gfortran makes copies of them.
  subroutine test_components()
    type record
      sequence
      complex(real32) :: value
      real(real32) :: other
    end type
    type(record) :: records(4)
    complex(real32) :: y(4)
    real(real32) :: z(4)
    records%value = [1, 2, 3, 4]
    records%other = [5, 6, 7, 8]
    call pantile_reverse(records%other, z)
    call check(all(z == [8, 7, 6, 5]), "components of records")
    call pantile_reverse(records%value, y)
    call check(all(y == [4, 3, 2, 1]), "components that the compiler copies")
    call pantile_reverse(y, records%value)
    call check(all(records%value == [1, 2, 3, 4]) .and. all(records%other == [5, 6, 7, 8]), "components written back")
  end subroutine

  subroutine stop_without_stat()
    real(real64) :: a(2, 3) = 0, c(2, 2) = 0
    call pantile_matmul(a, a, c)
    print *, "went on"
  end subroutine
end program
