# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The numbered examples, which check themselves, and the driver program, as examples/ builds them.

add_library(pantile_on_device INTERFACE)
add_library(Pantile::pantile ALIAS pantile_on_device)
target_link_libraries(pantile_on_device INTERFACE headers kokkos_stand_in)
add_subdirectory(${pantile}/examples examples)

get_property(examples DIRECTORY ${pantile}/examples PROPERTY BUILDSYSTEM_TARGETS)
foreach(example IN LISTS examples)
  get_target_property(sources ${example} SOURCES)
  set_source_files_properties(${sources} TARGET_DIRECTORY ${example} PROPERTIES LANGUAGE CUDA)
  target_sources(${example} PRIVATE $<TARGET_OBJECTS:kokkos_stand_in>)
  set_target_properties(${example} PROPERTIES LINKER_LANGUAGE CXX)
  if(TEST example:${example})
    set_tests_properties(
      example:${example}
      DIRECTORY ${pantile}/examples
      PROPERTIES TIMEOUT 600
                 ENVIRONMENT "PANTILE_INTERPRETER_REPORT=${reports}/example;${environment}"
    )
  endif()
endforeach()
