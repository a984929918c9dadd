# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The Python package over c.cmake's library, with arrays in memory that only the device reaches.

include(${pantile}/cmake/PantilePython.cmake)
if(NOT pantile_has_nanobind)
  message(FATAL_ERROR "PANTILE_WITH_C wants Python's headers and nanobind: the root cuda has them")
endif()
set(package ${CMAKE_BINARY_DIR}/python/pantile)
file(GLOB sources CONFIGURE_DEPENDS ${pantile}/src/lib/python/*.cpp)
nanobind_add_module(pantile_python NB_SUPPRESS_WARNINGS ${sources})
set_target_properties(pantile_python PROPERTIES OUTPUT_NAME _pantile LIBRARY_OUTPUT_DIRECTORY ${package})
target_include_directories(pantile_python PRIVATE ${pantile}/src/lib ${pantile}/include)
target_link_libraries(pantile_python PRIVATE pantile_c)
configure_file(${pantile}/src/lib/python/pantile/__init__.py ${package}/__init__.py COPYONLY)

add_test(
  NAME python:device
  COMMAND ${Python_EXECUTABLE} run.py numpy,pytest test_device.py
  WORKING_DIRECTORY ${pantile}/unit_tests/python
)
set(variables PYTHONPATH=${CMAKE_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1
              PANTILE_INTERPRETER_REPORT=${reports}/python
)
set_tests_properties(python:device PROPERTIES LABELS device TIMEOUT 600 ENVIRONMENT "${variables}")
