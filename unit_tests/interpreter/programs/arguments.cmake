# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# example_arguments(<name> <variable>): sizes of the numbered examples that an interpreter has the time for; the
# documents' are for a machine.
function(example_arguments name variable)
  set(arguments "")
  if(name MATCHES "^01_")
    set(arguments 64)
  elseif(name MATCHES "^(08|13)_")
    set(arguments 100)
  endif()
  set(${variable} ${arguments} PARENT_SCOPE)
endfunction()
