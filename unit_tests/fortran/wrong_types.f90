! SPDX-FileCopyrightText: Pantile contributors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Calls with types and kinds that do not go together, each on a line that says so, among calls that do: the compiler
! refuses the former and no other. check_types.py
program wrong_types
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use pantile
  implicit none
  real(real32) :: s(2, 2) = 0
  real(real64) :: d(2, 2) = 0
  complex(real32) :: cs(2, 2) = 0
  complex(real64) :: cd(2, 2) = 0
  integer(int8) :: bytes(2, 2) = 0
  integer(int16) :: shorts(2, 2) = 0
  integer(int32) :: i(2, 2) = 0, v(2) = 0
  integer(int64) :: l(2, 2) = 0
  logical :: flags(2, 2) = .false.
  character(len=:), allocatable :: text
  type(pantile_exec) :: exec
  real(real64), parameter :: constant(2, 2) = 0

  call pantile_matmul(d, d, d, 2.0_real64, beta=0.5_real64, exec=exec)
  call pantile_matmul(d, s, d) ! wrong
  call pantile_matmul(s, d, d) ! wrong
  call pantile_matmul(d, d, s) ! wrong
  call pantile_matmul(d, d, cd) ! wrong
  call pantile_matmul(i, i, l) ! wrong
  call pantile_matmul(bytes, bytes, l) ! wrong
  call pantile_matmul(shorts, shorts, shorts) ! wrong
  call pantile_matmul(flags, flags, flags) ! wrong
  call pantile_matmul(d, d, constant) ! wrong
  call pantile_matmul(d, d, d, alpha=2.0_real32) ! wrong
  call pantile_matmul(d, d, d, beta=2) ! wrong
  call pantile_matmul(d, d, d, op_a=.true.) ! wrong
  call pantile_matmul(s, s, s, alpha=2.0_real64) ! wrong
  call pantile_matmul(s, s, s, alpha=2.0_real64, sum=pantile_sum_real64)
  call pantile_matmul(s, s, s, alpha=2.0_real32, sum=pantile_sum_real32)
  call pantile_matmul(s, s, s, alpha=2.0_real32, sum=pantile_sum_real64) ! wrong
  call pantile_matmul(s, s, s, sum=pantile_sum_int32) ! wrong
  call pantile_matmul(d, d, d, sum=pantile_sum_real32) ! wrong
  call pantile_matmul(d, d, d, sum=pantile_sum_int64) ! wrong
  call pantile_matmul(s, s, d, alpha=2.0_real64)
  call pantile_matmul(s, s, d, alpha=2.0_real32) ! wrong
  call pantile_matmul(cs, cs, cd, sum=pantile_sum_complex_real64)
  call pantile_matmul(cs, cs, cd, sum=pantile_sum_real64) ! wrong
  call pantile_matmul(bytes, bytes, bytes, alpha=2)
  call pantile_matmul(bytes, bytes, i, alpha=2)
  call pantile_matmul(bytes, bytes, i, alpha=2_int8) ! wrong
  text = pantile_explain_matmul(s, s, s, alpha=2.0_real64, sum=pantile_sum_real64)
  text = pantile_explain_matmul(s, d, s) ! wrong

  call pantile_transpose(bytes, bytes)
  call pantile_transpose(s, d) ! wrong
  call pantile_transpose(flags, flags) ! wrong
  call pantile_transpose_in_place(shorts) ! wrong
  text = pantile_explain_transpose(cs, cd) ! wrong
  text = pantile_explain_transpose_in_place(flags) ! wrong
  call pantile_copy(bytes, bytes)
  call pantile_copy(d, s) ! wrong
  text = pantile_explain_copy(shorts, shorts) ! wrong
  call pantile_add(d, s, d) ! wrong
  call pantile_add(d, d, d, beta="two") ! wrong
  call pantile_add(bytes, bytes, bytes) ! wrong
  text = pantile_explain_add(d, d, s) ! wrong
  call pantile_fill(d, 0) ! wrong
  call pantile_fill(shorts, 0_int16) ! wrong
  call pantile_fill(bytes, 0_int8) ! wrong
  text = pantile_explain_fill(d, 0.0_real32) ! wrong
  call pantile_reverse(v, l(:, 1)) ! wrong
  call pantile_reverse_in_place(bytes(:, 1)) ! wrong
  text = pantile_explain_reverse(v, d(:, 1)) ! wrong
  text = pantile_explain_reverse_in_place(flags(:, 1)) ! wrong
  call pantile_histogram(v, i, exec=exec)
  call pantile_histogram(d, i) ! wrong
  call pantile_histogram(v, cs) ! wrong
  call pantile_histogram(v, d, s(:, 1)) ! wrong
  text = pantile_explain_histogram(shorts, i) ! wrong
  call pantile_histogram(v, i, ignored=5) ! wrong
  call pantile_exec_create(exec, stream=exec) ! wrong
  call pantile_reverse_in_place(v, exec=exec%handle) ! wrong
end program
