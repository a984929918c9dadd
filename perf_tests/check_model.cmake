# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The tables of many cores in the notes are what the model prints: cmake -DPROGRAM=model_matmul -DNOTE=matmul.md -P ...

file(READ "${NOTE}" note)
foreach(edge IN ITEMS 8192 2000)
  execute_process(COMMAND "${PROGRAM}" ${edge} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${note}" "${table}" place)
  if(table STREQUAL "" OR place EQUAL -1)
    message(FATAL_ERROR "model_matmul ${edge} prints another table than ${NOTE} has:\n${table}")
  endif()
  message(STATUS "products of ${edge}: as the note has them")
endforeach()
