# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings for Pantile's own programs and units; private, so that users keep their own.
function(pantile_set_warnings target)
  target_compile_options(
    ${target}
    PRIVATE
      $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall
      -Wextra
      -Wshadow
      -Wnon-virtual-dtor>
      $<$<AND:$<CXX_COMPILER_ID:GNU,Clang,AppleClang>,$<BOOL:${Pantile_WARNINGS_AS_ERRORS}>>:-Werror>
  )
endfunction()
