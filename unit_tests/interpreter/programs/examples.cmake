# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The numbered examples and the driver program, which print what they print on hosts: prints/, made by same_print.py
# --write.

include(${CMAKE_CURRENT_LIST_DIR}/arguments.cmake)

# Their own work on the host is little.
set(unoptimized "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-O0>")

# pantile_prints(<name> <argument>...): the command prints what prints/<name>.txt says.
function(pantile_prints name)
  add_test(NAME example:${name} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/same_print.py
                                        ${CMAKE_CURRENT_SOURCE_DIR}/prints/${name}.txt ${ARGN}
  )
  set_tests_properties(
    example:${name} PROPERTIES LABELS device TIMEOUT 600 ENVIRONMENT PANTILE_INTERPRETER_REPORT=${reports}/example
  )
endfunction()

file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${pantile}/examples ${pantile}/examples/[0-9]*/*.cpp)
foreach(source IN LISTS examples)
  file(STRINGS ${pantile}/examples/${source} mpi REGEX "pantile/mpi/")
  if(mpi)
    continue() # pantile::mpi is executed by mpi.cmake
  endif()
  cmake_path(GET source STEM name)
  pantile_cuda(${pantile}/examples/${source})
  add_executable(${name} ${pantile}/examples/${source} $<TARGET_OBJECTS:kokkos_stand_in>)
  target_include_directories(${name} PRIVATE ${pantile}/examples)
  target_compile_options(${name} PRIVATE ${unoptimized})
  target_link_libraries(${name} PRIVATE Pantile::pantile)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  example_arguments(${name} arguments)
  pantile_prints(${name} $<TARGET_FILE:${name}> ${arguments})
endforeach()

# The driver program, of whose sources nvcc has to compile those that see Kokkos.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
set(driver ${pantile}/src/driver)
add_subdirectory(${driver} driver)
file(GLOB sources CONFIGURE_DEPENDS ${driver}/session.cpp ${driver}/commands/info.cpp ${driver}/operations/*.cpp)
set_source_files_properties(${sources} TARGET_DIRECTORY pantile-driver PROPERTIES LANGUAGE CUDA)
target_compile_options(pantile-driver PRIVATE ${unoptimized})
target_sources(pantile-driver PRIVATE $<TARGET_OBJECTS:kokkos_stand_in>)
set_target_properties(pantile-driver PROPERTIES LINKER_LANGUAGE CXX)
pantile_prints(
  driver ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/driver_session.py $<TARGET_FILE:pantile-driver>
)
