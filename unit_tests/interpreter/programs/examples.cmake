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

# One program, of which each example is a namespace: units.cmake wrote its files.
set(files ${CMAKE_BINARY_DIR}/examples)
file(GLOB written_from CONFIGURE_DEPENDS ${pantile}/examples/[0-9]*/*.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${written_from})
file(GLOB sources ${files}/*.cpp)
pantile_cuda(${sources})
add_executable(examples examples.cpp ${sources} $<TARGET_OBJECTS:kokkos_stand_in>)
target_include_directories(examples PRIVATE ${pantile}/examples ${files})
target_compile_options(examples PRIVATE ${unoptimized})
target_link_libraries(examples PRIVATE Pantile::pantile)
set_target_properties(examples PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(STRINGS ${files}/examples.inc names)
list(TRANSFORM names REPLACE "^EXAMPLE.(.*).$" "\\1")
foreach(name IN LISTS names)
  example_arguments(${name} arguments)
  pantile_prints(${name} $<TARGET_FILE:examples> ${name} ${arguments})
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
# Of its sources, those that compile the same kernels or little are one.
set_target_properties(
  pantile-driver PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD ON UNITY_BUILD_MODE GROUP
)
set(products ${driver}/operations/matmul.cpp)
set(tiles ${driver}/operations/tiled_matmul.cpp ${driver}/operations/transpose.cpp)
set(others ${sources})
list(REMOVE_ITEM others ${products} ${tiles})
foreach(group IN ITEMS products tiles others)
  set_source_files_properties(${${group}} TARGET_DIRECTORY pantile-driver PROPERTIES UNITY_GROUP ${group})
endforeach()
pantile_prints(
  driver ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/driver_session.py $<TARGET_FILE:pantile-driver>
)
