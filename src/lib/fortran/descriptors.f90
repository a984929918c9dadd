! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The operations as descriptors.c has them, for arrays and numbers of any type: absent arguments are null pointers
! there. A text that is present becomes an explanation, and then nothing is computed.
module pantile_descriptors
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int, c_int32_t, c_int64_t
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  use pantile_common, only: pantile_exec
  implicit none

  interface
    subroutine c_matmul(a, b, c, alpha, beta, op_a, op_b, algorithm, sum, exec, text, stat) &
      bind(c, name="pantile_fortran_matmul")
      import
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: c
      type(*), intent(in), optional :: alpha, beta
      integer(c_int), intent(in), optional :: op_a, op_b, algorithm
      type(*), dimension(..), intent(in), optional :: sum
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_transpose(a, b, conjugate, algorithm, exec, text, stat) bind(c, name="pantile_fortran_transpose")
      import
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(inout) :: b
      logical(c_bool), value :: conjugate
      integer(c_int), intent(in), optional :: algorithm
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_transpose_in_place(a, conjugate, algorithm, exec, text, stat) &
      bind(c, name="pantile_fortran_transpose_in_place")
      import
      type(*), dimension(..), intent(inout) :: a
      logical(c_bool), value :: conjugate
      integer(c_int), intent(in), optional :: algorithm
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_add(a, b, c, alpha, beta, algorithm, exec, text, stat) bind(c, name="pantile_fortran_add")
      import
      type(*), dimension(..), intent(in) :: a, b
      type(*), dimension(..), intent(inout) :: c
      type(*), intent(in), optional :: alpha, beta
      integer(c_int), intent(in), optional :: algorithm
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_histogram(indices, counts, weights, accumulate, ignored, algorithm, exec, text, stat) &
      bind(c, name="pantile_fortran_histogram")
      import
      type(*), dimension(..), intent(in) :: indices
      type(*), dimension(..), intent(inout) :: counts
      type(*), dimension(..), intent(in), optional :: weights
      logical(c_bool), value :: accumulate
      integer(c_int64_t), intent(inout), optional :: ignored
      integer(c_int), intent(in), optional :: algorithm
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_fill(c, number, algorithm, exec, text, stat) bind(c, name="pantile_fortran_fill")
      import
      type(*), dimension(..), intent(inout) :: c
      type(*), intent(in) :: number
      integer(c_int), intent(in), optional :: algorithm
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_reverse(x, y, exec, text, stat) bind(c, name="pantile_fortran_reverse")
      import
      type(*), dimension(..), intent(in) :: x
      type(*), dimension(..), intent(inout) :: y
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_reverse_in_place(x, exec, text, stat) bind(c, name="pantile_fortran_reverse_in_place")
      import
      type(*), dimension(..), intent(inout) :: x
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    subroutine c_copy(destination, source, exec, text, stat) bind(c, name="pantile_fortran_copy")
      import
      type(*), dimension(..), intent(inout) :: destination
      type(*), dimension(..), intent(in) :: source
      type(pantile_exec), intent(in), optional :: exec
      character(kind=c_char, len=:), allocatable, intent(out), optional :: text
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
  end interface

contains

  pure function truth_of(choice)
    logical, intent(in), optional :: choice
    logical(c_bool) :: truth_of
    truth_of = .false._c_bool
    if (present(choice)) truth_of = logical(choice, c_bool)
  end function

end module
