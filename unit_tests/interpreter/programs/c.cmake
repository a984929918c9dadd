# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# libpantile_c.so for CUDA, and its tests: those of hosts with operands in managed memory, and those of what only
# devices have. PANTILE_C_OF_ALL_TYPES: with products of several types too, which take nvcc minutes.

enable_language(C)
find_package(Threads REQUIRED)
option(PANTILE_C_OF_ALL_TYPES "The C face holds products of several types")
set(c ${pantile}/src/lib/c)
file(GLOB sources CONFIGURE_DEPENDS ${c}/*.cpp)
if(NOT PANTILE_C_OF_ALL_TYPES)
  list(FILTER sources EXCLUDE REGEX "/products_(16_bits|bytes|wider_sums).cpp$")
  list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/c_products.cpp)
endif()
list(APPEND sources ${pantile}/src/lib/blas/instance_pool.cpp)
pantile_cuda(${sources})
add_library(pantile_c SHARED ${sources} $<TARGET_OBJECTS:kokkos_stand_in>)
target_include_directories(pantile_c PRIVATE ${pantile}/src/lib)
target_compile_definitions(pantile_c PRIVATE PANTILE_C_VERSION="interpreted")
target_compile_options(pantile_c PRIVATE ${unoptimized})
target_link_libraries(pantile_c PRIVATE pantile_on_device Threads::Threads)
target_link_options(pantile_c PRIVATE "LINKER:--version-script=${c}/exports.map")
# nvcc takes much of its time for the headers.
set_target_properties(pantile_c PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)

file(GLOB tests CONFIGURE_DEPENDS ${pantile}/unit_tests/c/*.c)
add_executable(test_c ${tests})
target_include_directories(test_c PRIVATE ${pantile}/include)
target_compile_definitions(
  test_c PRIVATE PANTILE_TEST_WITH_DEVICE PANTILE_TEST_VERSION="interpreted"
                 $<$<NOT:$<BOOL:${PANTILE_C_OF_ALL_TYPES}>>:PANTILE_TEST_ONE_TYPE>
)
set_target_properties(test_c PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_compile_options(test_c PRIVATE -Wall -Wextra -Wno-missing-field-initializers -pedantic -Werror)
target_link_libraries(test_c PRIVATE pantile_c cudart Threads::Threads m)
foreach(part IN ITEMS matmul batches transpose add fill copy histogram reverse workspace explain operands options
                      choices instances messages device)
  add_test(NAME c:${part} COMMAND test_c ${part})
  set_tests_properties(
    c:${part} PROPERTIES LABELS device TIMEOUT 600 
                         ENVIRONMENT "PANTILE_INTERPRETER_REPORT=${reports}/c;PANTILE_INTERPRETER_DEVICES=2"
  )
endforeach()
