! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Pantile's operations on Fortran arrays: real and complex of kinds real32 and real64, integer of kinds int32 and int64,
! all of one type and kind in a call. Arrays are taken as they lie, column by column; so are their sections,
! a(1:n:2, :), which are not copied. Sections with a negative step are refused. Products and transpositions take
! integers of kind int8 too, and products a c of a wider kind than a and b: pantile/c/pantile.h (Products) has them.
!
! Scalars (alpha, beta, value) have the type and kind of the arrays, of products those of their sums: sum's, or without
! it those of c, or int32 where c is int8.
! Numerics and aliasing: pantile/c/pantile.h.
!
! stat, where it is present, becomes pantile_ok or another pantile_status of pantile/c/types.h, and then nothing has
! been written; pantile_error_message() says why. Where it is absent, an error stops the program with that sentence.
!
! Arrays are type(*), dimension(..): one procedure takes every type, rank and section as it lies. A generic interface
! would need one for each type, kind and rank of three operands, and could not say which of them go together.
!
! sum is one of the constants pantile_sum_<type>: in which type a product's sums are formed.
! algorithm is one of the constants pantile_<operation>_<algorithm>, and pantile_automatic where it is absent.
! pantile_explain_<operation> takes the operation's arguments and gives a text of what the call would do, and why;
! nothing is computed. It is empty where stat tells of an error.
module pantile
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_double, c_f_pointer, c_int32_t, c_int64_t, c_loc, &
                                         c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private
  public :: pantile_matmul, pantile_transpose, pantile_transpose_in_place, pantile_add, pantile_histogram
  public :: pantile_fill, pantile_reverse, pantile_reverse_in_place, pantile_error_message
  public :: pantile_explain_matmul, pantile_explain_transpose, pantile_explain_transpose_in_place, pantile_explain_add
  public :: pantile_explain_histogram, pantile_explain_fill, pantile_explain_reverse, pantile_explain_reverse_in_place

  integer, parameter, public :: pantile_ok = 0, pantile_invalid = 1, pantile_not_supported = 2
  integer, parameter, public :: pantile_no_memory = 3, pantile_unavailable = 4, pantile_failed = 5

  ! What is done to an operand of a product before it is used.
  integer, parameter, public :: pantile_op_none = 0, pantile_op_transpose = 1
  integer, parameter, public :: pantile_op_conjugate = 2, pantile_op_conjugate_transpose = 3

  ! Types of sums.
  integer, parameter, public :: pantile_sum_real32 = 1, pantile_sum_real64 = 2
  integer, parameter, public :: pantile_sum_complex_real32 = 3, pantile_sum_complex_real64 = 4
  integer, parameter, public :: pantile_sum_int32 = 7, pantile_sum_int64 = 9

  ! Algorithms, which pantile/policy.hpp describes.
  integer, parameter, public :: pantile_automatic = 0
  integer, parameter, public :: pantile_matmul_naive = 1, pantile_matmul_grid_stride = 2, pantile_matmul_tiled = 3
  integer, parameter, public :: pantile_matmul_blocked = 4, pantile_matmul_vendor = 5
  integer, parameter, public :: pantile_transpose_naive = 1, pantile_transpose_tiled = 2, pantile_transpose_padded = 3
  integer, parameter, public :: pantile_transpose_blocked = 4
  integer, parameter, public :: pantile_add_naive = 1, pantile_add_grid_stride = 2, pantile_add_tiled = 3
  integer, parameter, public :: pantile_add_blocked = 4
  integer, parameter, public :: pantile_histogram_global_atomic = 1, pantile_histogram_scratch = 2
  integer, parameter, public :: pantile_fill_naive = 1, pantile_fill_grid_stride = 2

  ! A number as descriptors.c takes it: its element type is 0 where it is absent, and -1 where there is none for it.
  type, bind(c) :: scalar
    type(c_ptr) :: address = c_null_ptr
    integer(c_int32_t) :: element = 0
  end type

  ! pantile_explanation of pantile/c/types.h; descriptors.c sets its size.
  type, bind(c) :: explanation
    integer(c_size_t) :: bytes_of_this = 0
    type(c_ptr) :: text = c_null_ptr
    integer(c_size_t) :: capacity = 0, length = 0, workspace_bytes = 0
    real(c_double) :: flops = 0, bytes = 0
  end type

  ! descriptors.c
  interface
    subroutine c_matmul(a, b, c, alpha, beta, op_a, op_b, algorithm, sum, answer, stat) &
      bind(c, name="pantile_fortran_matmul")
      import :: c_int32_t, explanation, scalar
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: c
      type(scalar), intent(in) :: alpha, beta
      integer(c_int32_t), value :: op_a, op_b
      integer(c_int32_t), value :: algorithm, sum
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_transpose(a, b, conjugate, algorithm, answer, stat) bind(c, name="pantile_fortran_transpose")
      import :: c_bool, c_int32_t, explanation
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(inout) :: b
      logical(c_bool), value :: conjugate
      integer(c_int32_t), value :: algorithm
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_transpose_in_place(a, conjugate, algorithm, answer, stat) &
      bind(c, name="pantile_fortran_transpose_in_place")
      import :: c_bool, c_int32_t, explanation
      type(*), dimension(..), intent(inout) :: a
      logical(c_bool), value :: conjugate
      integer(c_int32_t), value :: algorithm
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_add(a, b, c, alpha, beta, algorithm, answer, stat) bind(c, name="pantile_fortran_add")
      import :: c_int32_t, explanation, scalar
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: c
      type(scalar), intent(in) :: alpha, beta
      integer(c_int32_t), value :: algorithm
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_histogram(indices, counts, weights, accumulate, ignored, algorithm, answer, stat) &
      bind(c, name="pantile_fortran_histogram")
      import :: c_bool, c_int32_t, c_int64_t, explanation
      type(*), dimension(..), intent(in) :: indices
      type(*), dimension(..), intent(inout) :: counts
      type(*), dimension(..), intent(in), optional :: weights
      logical(c_bool), value :: accumulate
      integer(c_int64_t), intent(inout), optional :: ignored
      integer(c_int32_t), value :: algorithm
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_fill(c, number, algorithm, answer, stat) bind(c, name="pantile_fortran_fill")
      import :: c_int32_t, explanation, scalar
      type(*), dimension(..), intent(inout) :: c
      type(scalar), intent(in) :: number
      integer(c_int32_t), value :: algorithm
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_reverse(x, y, answer, stat) bind(c, name="pantile_fortran_reverse")
      import :: c_int32_t, explanation
      type(*), dimension(..), intent(in) :: x
      type(*), dimension(..), intent(inout) :: y
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_reverse_in_place(x, answer, stat) bind(c, name="pantile_fortran_reverse_in_place")
      import :: c_int32_t, explanation
      type(*), dimension(..), intent(inout) :: x
      type(explanation), intent(inout), optional :: answer
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    function c_message(length) bind(c, name="pantile_fortran_message") result(text)
      import :: c_ptr, c_size_t
      integer(c_size_t), intent(out) :: length
      type(c_ptr) :: text
    end function
  end interface

contains

  ! c = alpha op_a(a) op_b(b) + beta c, where alpha is 1 and beta 0 unless they are given. c overlaps neither a nor b.
  ! Of arrays of rank 1, b is a column and a is a row; c is a row where a is one, else a column. Where c has rank 3,
  ! each c(:, :, p) is the product of a(:, :, p) and b(:, :, p) by one call for all; a or b of rank 2 stand for every p.
  subroutine pantile_matmul(a, b, c, alpha, beta, op_a, op_b, algorithm, sum, stat)
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), optional, target :: alpha, beta
    integer, intent(in), optional :: op_a, op_b, algorithm, sum
    integer(c_int32_t), intent(out), optional :: stat
    call c_matmul(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(op_a), number_of(op_b), &
                  number_of(algorithm), number_of(sum), stat=stat)
  end subroutine

  function pantile_explain_matmul(a, b, c, alpha, beta, op_a, op_b, algorithm, sum, stat) result(text)
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), optional, target :: alpha, beta
    integer, intent(in), optional :: op_a, op_b, algorithm, sum
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_matmul(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(op_a), number_of(op_b), &
                  number_of(algorithm), number_of(sum), answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_matmul(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(op_a), number_of(op_b), &
                  number_of(algorithm), number_of(sum), answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! b = a transposed, and conjugated where conjugate is true; of rank 3, b(:, :, p) = a(:, :, p) transposed.
  subroutine pantile_transpose(a, b, conjugate, algorithm, stat)
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(inout) :: b
    logical, intent(in), optional :: conjugate
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    call c_transpose(a, b, truth_of(conjugate), number_of(algorithm), stat=stat)
  end subroutine

  function pantile_explain_transpose(a, b, conjugate, algorithm, stat) result(text)
    type(*), dimension(..), intent(in) :: a
    type(*), dimension(..), intent(inout) :: b
    logical, intent(in), optional :: conjugate
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_transpose(a, b, truth_of(conjugate), number_of(algorithm), answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_transpose(a, b, truth_of(conjugate), number_of(algorithm), answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! The same for a square a, or square a(:, :, p), in its own memory.
  subroutine pantile_transpose_in_place(a, conjugate, algorithm, stat)
    type(*), dimension(..), intent(inout) :: a
    logical, intent(in), optional :: conjugate
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    call c_transpose_in_place(a, truth_of(conjugate), number_of(algorithm), stat=stat)
  end subroutine

  function pantile_explain_transpose_in_place(a, conjugate, algorithm, stat) result(text)
    type(*), dimension(..), intent(inout) :: a
    logical, intent(in), optional :: conjugate
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_transpose_in_place(a, truth_of(conjugate), number_of(algorithm), answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_transpose_in_place(a, truth_of(conjugate), number_of(algorithm), answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! c = alpha a + beta b, where both are 1 unless they are given. c is a or b itself, or overlaps neither.
  subroutine pantile_add(a, b, c, alpha, beta, algorithm, stat)
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), optional, target :: alpha, beta
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    call c_add(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(algorithm), stat=stat)
  end subroutine

  function pantile_explain_add(a, b, c, alpha, beta, algorithm, stat) result(text)
    type(*), dimension(..), intent(in) :: a, b
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), optional, target :: alpha, beta
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_add(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(algorithm), answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_add(a, b, c, scalar_of(alpha), scalar_of(beta), number_of(algorithm), answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! How many indices, or pairs of them in indices(:, 1:2), name each bin, or the sum of their weights; added to what
  ! counts holds where accumulate is true. Indices count from zero: bins are declared as counts(0:n - 1). Those without
  ! a bin are refused, or counted in `ignored`.
  subroutine pantile_histogram(indices, counts, weights, accumulate, ignored, algorithm, stat)
    type(*), dimension(..), intent(in) :: indices
    type(*), dimension(..), intent(inout) :: counts
    type(*), dimension(..), intent(in), optional :: weights
    logical, intent(in), optional :: accumulate
    integer(c_int64_t), intent(inout), optional :: ignored
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    call c_histogram(indices, counts, weights, truth_of(accumulate), ignored, number_of(algorithm), stat=stat)
  end subroutine

  function pantile_explain_histogram(indices, counts, weights, accumulate, ignored, algorithm, stat) result(text)
    type(*), dimension(..), intent(in) :: indices
    type(*), dimension(..), intent(inout) :: counts
    type(*), dimension(..), intent(in), optional :: weights
    logical, intent(in), optional :: accumulate
    integer(c_int64_t), intent(inout), optional :: ignored
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_histogram(indices, counts, weights, truth_of(accumulate), ignored, number_of(algorithm), &
                     answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_histogram(indices, counts, weights, truth_of(accumulate), ignored, number_of(algorithm), &
                     answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! c = value
  subroutine pantile_fill(c, value, algorithm, stat)
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), target :: value
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    call c_fill(c, scalar_of(value), number_of(algorithm), stat=stat)
  end subroutine

  function pantile_explain_fill(c, value, algorithm, stat) result(text)
    type(*), dimension(..), intent(inout) :: c
    class(*), intent(in), target :: value
    integer, intent(in), optional :: algorithm
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_fill(c, scalar_of(value), number_of(algorithm), answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_fill(c, scalar_of(value), number_of(algorithm), answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! y = x(n:1:-1), both of rank 1; y does not overlap x.
  subroutine pantile_reverse(x, y, stat)
    type(*), dimension(..), intent(in) :: x
    type(*), dimension(..), intent(inout) :: y
    integer(c_int32_t), intent(out), optional :: stat
    call c_reverse(x, y, stat=stat)
  end subroutine

  function pantile_explain_reverse(x, y, stat) result(text)
    type(*), dimension(..), intent(in) :: x
    type(*), dimension(..), intent(inout) :: y
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_reverse(x, y, answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_reverse(x, y, answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! x = x(n:1:-1)
  subroutine pantile_reverse_in_place(x, stat)
    type(*), dimension(..), intent(inout) :: x
    integer(c_int32_t), intent(out), optional :: stat
    call c_reverse_in_place(x, stat=stat)
  end subroutine

  function pantile_explain_reverse_in_place(x, stat) result(text)
    type(*), dimension(..), intent(inout) :: x
    integer(c_int32_t), intent(out), optional :: stat
    character(len=:), allocatable, target :: text
    type(explanation) :: answer
    call c_reverse_in_place(x, answer=answer, stat=stat)
    call give_room(answer, text)
    if (answer%capacity == 0) return
    call c_reverse_in_place(x, answer=answer, stat=stat)
    text = text(:answer%length)
  end function

  ! What was wrong with this thread's last call that failed.
  function pantile_error_message() result(message)
    character(len=:), allocatable :: message
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: text
    integer(c_size_t) :: length, i
    text = c_message(length)
    call c_f_pointer(text, letters, [length])
    allocate (character(len=length) :: message)
    do i = 1, length
      message(i:i) = letters(i)
    end do
  end function

  ! Makes the text as long as an explanation without one says, with a place for C's zero.
  subroutine give_room(answer, text)
    type(explanation), intent(inout) :: answer
    character(len=:), allocatable, target, intent(out) :: text
    if (answer%length == 0) then
      text = ""
      return
    end if
    answer%capacity = answer%length + 1
    allocate (character(len=answer%capacity) :: text)
    answer%text = c_loc(text)
  end subroutine

  ! Called by descriptors.c where an error finds no stat.
  subroutine stop_with_message() bind(c, name="pantile_fortran_stop")
    error stop pantile_error_message()
  end subroutine

  ! A class(*) scalar, since gfortran 16 does not compile expressions for assumed-rank dummies (an internal error).
  function scalar_of(number) result(s)
    class(*), intent(in), optional, target :: number
    type(scalar) :: s
    if (.not. present(number)) return
    select type (number)
    type is (real(real32))
      s = scalar(c_loc(number), 1)
    type is (real(real64))
      s = scalar(c_loc(number), 2)
    type is (complex(real32))
      s = scalar(c_loc(number), 3)
    type is (complex(real64))
      s = scalar(c_loc(number), 4)
    type is (integer(int32))
      s = scalar(c_loc(number), 7)
    type is (integer(int64))
      s = scalar(c_loc(number), 9)
    class default
      s%element = -1
    end select
  end function

  pure function number_of(op)
    integer, intent(in), optional :: op
    integer(c_int32_t) :: number_of
    number_of = pantile_op_none
    if (present(op)) number_of = int(op, c_int32_t)
  end function

  pure function truth_of(choice)
    logical, intent(in), optional :: choice
    logical(c_bool) :: truth_of
    truth_of = .false._c_bool
    if (present(choice)) truth_of = logical(choice, c_bool)
  end function

end module
