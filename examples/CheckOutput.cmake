# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D PROGRAM=<path> -D ARGUMENTS=<list> -D EXPECTED=<file> -P CheckOutput.cmake: the program says that all is
# well, and prints every paragraph of the file, in their order.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE output RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}")
endif()
file(READ ${EXPECTED} rest)
while(NOT rest STREQUAL "")
  string(FIND "${rest}\n\n" "\n\n" length)
  string(SUBSTRING "${rest}" 0 ${length} paragraph)
  string(SUBSTRING "${rest}\n\n" ${length} -1 rest)
  string(STRIP "${rest}" rest)
  string(STRIP "${paragraph}" paragraph)
  string(FIND "${output}" "${paragraph}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "The document prints this, and the program does not, or not in this place:\n${paragraph}")
  endif()
  string(LENGTH "${paragraph}" length)
  math(EXPR place "${place} + ${length}")
  string(SUBSTRING "${output}" ${place} -1 output)
endwhile()
