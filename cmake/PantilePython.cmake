# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Looks for Python's headers and for nanobind, which Debian and PyPI put where the module nanobind says.
find_package(Python 3.9 COMPONENTS Interpreter Development.Module QUIET)
if(Python_Development.Module_FOUND)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE pantile_nanobind_folder
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
  find_package(nanobind CONFIG QUIET HINTS ${pantile_nanobind_folder})
  set(pantile_has_nanobind ${nanobind_FOUND})
endif()
