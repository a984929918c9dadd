# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs this build to a folder of its own, builds examples there as a project of their own, and runs them. Only a few
# of them, because each is compiled a second time: one on the compiled library, one of team tools (headers only), the
# simulation code, also on ranks, and those in other languages. Everything must have been built before, as always with
# an installation.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/install_test/prefix)
set(installed_examples 01_naive_matmul 16_heat_adi 17_own_kernel 20_fortran 21_c 23_distributed_adi)
list(JOIN installed_examples "$<SEMICOLON>" installed_examples)
add_test(
  NAME install:clean
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${prefix} ${CMAKE_CURRENT_BINARY_DIR}/install_test/build
)
add_test(NAME install:prefix COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --config $<CONFIG>
                                   --prefix ${prefix}
)
list(JOIN Pantile_MPIEXEC_FLAGS "$<SEMICOLON>" mpiexec_flags)
set(options
    -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_BUILD_TYPE=$<CONFIG>
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    "-DPantileExamples_ONLY=${installed_examples}"
    "-DPantile_MPIEXEC_FLAGS=${mpiexec_flags}"
)
foreach(package IN ITEMS Kokkos KokkosKernels)
  if(${package}_DIR)
    list(APPEND options -D${package}_DIR=${${package}_DIR})
  endif()
endforeach()
add_test(
  NAME install:examples
  COMMAND
    ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/install_test/build
    --build-generator ${CMAKE_GENERATOR} --build-options ${options} --test-command ${CMAKE_CTEST_COMMAND}
    --no-tests=error --output-on-failure
)
set_tests_properties(install:clean PROPERTIES FIXTURES_SETUP install_clean LABELS install)
set_tests_properties(
  install:prefix PROPERTIES FIXTURES_REQUIRED install_clean FIXTURES_SETUP install_prefix LABELS install
)
set_tests_properties(install:examples PROPERTIES FIXTURES_REQUIRED install_prefix LABELS install)
