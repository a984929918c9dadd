! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! What the module pantile has beside its operations: constants, instances, the message of an error.
module pantile_common
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int32_t, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private
  public :: pantile_exec_create, pantile_exec_fence, pantile_exec_destroy, pantile_error_message

  integer, parameter, public :: pantile_ok = 0, pantile_invalid = 1, pantile_not_supported = 2
  integer, parameter, public :: pantile_no_memory = 3, pantile_unavailable = 4, pantile_failed = 5

  integer, parameter, public :: pantile_space_default = 0, pantile_space_host = 1, pantile_space_device = 2

  ! What is done to an operand of a product before it is used.
  integer, parameter, public :: pantile_op_none = 0, pantile_op_transpose = 1
  integer, parameter, public :: pantile_op_conjugate = 2, pantile_op_conjugate_transpose = 3

  ! For sum=, where only type and kind are looked at: by the compiler, so that alpha and beta have to have them too.
  real(real32), parameter, public :: pantile_sum_real32 = 0
  real(real64), parameter, public :: pantile_sum_real64 = 0
  complex(real32), parameter, public :: pantile_sum_complex_real32 = 0
  complex(real64), parameter, public :: pantile_sum_complex_real64 = 0
  integer(int32), parameter, public :: pantile_sum_int32 = 0
  integer(int64), parameter, public :: pantile_sum_int64 = 0

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

  ! An execution-space instance; handle is pantile/c/pantile.h's, and c_null_ptr stands for that library's default one.
  type, bind(c), public :: pantile_exec
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! descriptors.c
  interface
    ! An instance of the space, the library's default one where it is absent, which pantile_exec_destroy takes back; on
    ! a device it wraps the stream, a cudaStream_t or hipStream_t, where that is present.
    subroutine pantile_exec_create(exec, space, stream, stat) bind(c, name="pantile_fortran_exec_create")
      import
      type(pantile_exec), intent(out) :: exec
      integer(c_int), intent(in), optional :: space
      type(c_ptr), intent(in), optional :: stream
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    ! Waits until all work on the instance is done.
    subroutine pantile_exec_fence(exec, stat) bind(c, name="pantile_fortran_exec_fence")
      import
      type(pantile_exec), intent(in) :: exec
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine
    ! Waits, and forgets the instance: it is then the default one.
    subroutine pantile_exec_destroy(exec) bind(c, name="pantile_fortran_exec_destroy")
      import
      type(pantile_exec), intent(inout) :: exec
    end subroutine
    subroutine c_message(message) bind(c, name="pantile_fortran_message")
      import
      character(kind=c_char, len=:), allocatable, intent(out) :: message
    end subroutine
  end interface

contains

  ! What was wrong with this thread's last call that failed.
  function pantile_error_message() result(message)
    character(len=:), allocatable :: message
    call c_message(message)
  end function

  ! Called by descriptors.c where an error finds no stat.
  subroutine stop_with_message() bind(c, name="pantile_fortran_stop")
    error stop pantile_error_message()
  end subroutine

end module
