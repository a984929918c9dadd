# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(GoogleTest)

# COST: so many seconds that a test should begin among the first where tests run side by side; ctest knows no times in a
# fresh build folder.

# pantile_add_test(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...] [ARGUMENTS <argument>...]
#                  [PROCESSORS <count>] [NO_KOKKOS] [OPTIMIZED])
#
# A GoogleTest program whose cases become tests of their own. Its main initialises Kokkos (unless NO_KOKKOS), so that
# --kokkos-* options work. Discovery waits until the tests run: a login node without a GPU can build them.
# What a test checks is in the library; its own many instances are compiled in half the time without optimisation.
# OPTIMIZED (and a label large) is for programs that then would run for longer than that saves.
function(pantile_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_KOKKOS;OPTIMIZED" "PROCESSORS" "SOURCES;LIBRARIES;LABELS;ARGUMENTS")
  set(optimization 0)
  if(arg_OPTIMIZED OR large IN_LIST arg_LABELS)
    set(optimization 1)
  endif()
  set(options $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU,Clang>>:-O${optimization}>)
  add_executable(${name} ${arg_SOURCES})
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  set_property(GLOBAL PROPERTY pantile_sources_of_${name} ${paths})
  if(arg_NO_KOKKOS)
    target_link_libraries(${name} PRIVATE GTest::gmock_main ${arg_LIBRARIES})
  else()
    target_link_libraries(${name} PRIVATE pantile_test_support ${arg_LIBRARIES})
    pantile_precompile(
      ${name} pantile_test_precompiled_${optimization} HEADERS <gmock/gmock.h> OPTIONS ${options}
      LIBRARIES GTest::gmock
    )
  endif()
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${options})
  pantile_set_warnings(${name})
  # One label "unit-large": discovery loses all but the first of a list, and ctest -L takes any part of a label.
  set(properties "")
  if(large IN_LIST arg_LABELS)
    set(properties RESOURCE_LOCK large_memory)  # each takes gigabytes: one at a time
  endif()
  if(arg_PROCESSORS)
    list(APPEND properties PROCESSORS ${arg_PROCESSORS})
  endif()
  list(PREPEND arg_LABELS unit)
  list(JOIN arg_LABELS "-" label)
  gtest_discover_tests(
    ${name}
    TEST_PREFIX ${name}:
    EXTRA_ARGS ${arg_ARGUMENTS}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} ${properties}
  )
endfunction()

# pantile_join_tests(<program> <test>...): the tests of one folder in one program, built when asked for. It holds what
# the library holds once, and of typed tests the cases of the default execution space alone. For scripts/gpu_bench.
# Compilers for devices take most of their time for the headers: four files are compiled as one, so that they must not
# clash.
function(pantile_join_tests program)
  set(sources "")
  foreach(test IN LISTS ARGN)
    get_property(paths GLOBAL PROPERTY pantile_sources_of_${test})
    list(APPEND sources ${paths})
  endforeach()
  add_executable(${program} EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${program} PRIVATE pantile_test_support)
  target_compile_features(${program} PRIVATE cxx_std_20)
  target_compile_definitions(${program} PRIVATE PANTILE_TEST_DEFAULT_SPACE_ONLY)
  set_target_properties(${program} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  pantile_set_warnings(${program})
endfunction()

# pantile_add_mpi_test(<name> <ranks> <program> [<argument>...]): a program on so many ranks, with one thread each.
# Ranks wait for each other: where one stays away, time ends the test.
function(pantile_add_mpi_test name ranks program)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${Pantile_MPIEXEC_FLAGS}
                                ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}> ${MPIEXEC_POSTFLAGS} ${ARGN}
  )
  set_tests_properties(${name} PROPERTIES LABELS mpi PROCESSORS ${ranks} TIMEOUT 900 ENVIRONMENT OMP_NUM_THREADS=1)
endfunction()
