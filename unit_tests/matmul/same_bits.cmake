# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DPROGRAM=... -P same_bits.cmake: the program's output must not depend on the number of threads.
set(first "")
# The last two are more than most machines have: they share its cores.
foreach(threads IN ITEMS 1 2 3 4 7 8 16 64)
  execute_process(
    COMMAND ${PROGRAM} --kokkos-num-threads=${threads}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE complaints
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${threads} threads: exit status ${status}\n${output}${complaints}")
  endif()
  if(first STREQUAL "")
    set(first "${output}")
  elseif(NOT output STREQUAL first)
    message(FATAL_ERROR "1 thread:\n${first}\n${threads} threads:\n${output}")
  endif()
endforeach()
if(NOT first MATCHES "complex<double> 3x3x5000 tiled [0-9a-f]+")
  message(FATAL_ERROR "The program did not print its hashes:\n${first}")
endif()
