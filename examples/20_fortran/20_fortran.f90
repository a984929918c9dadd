! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Products of Fortran arrays, and of sections that nobody copies; an error as a status instead of the program's end.
program twenty
  use, intrinsic :: iso_fortran_env, only: real64
  use pantile
  implicit none
  real(real64) :: a(4, 3), b(3, 2), c(4, 2)
  integer :: stat
  a = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [4, 3])
  b = reshape([1, 0, 1, 0, 1, 1], [3, 2])

  call pantile_matmul(a, b, c)
  print "(2f6.1)", transpose(c)
  call pantile_matmul(a(1:4:2, :), b, c(1:4:2, :), alpha=2.0_real64, beta=-1.0_real64) ! rows 1 and 3 alone
  print "(2f6.1)", transpose(c)

  call pantile_matmul(a, a, c, stat=stat)
  print "(a)", pantile_error_message()
  if (any(c /= matmul(a, b)) .or. stat /= pantile_invalid) error stop "a result is wrong"
end program
