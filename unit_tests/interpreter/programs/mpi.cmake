# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# pantile::mpi with local Views on the device, by ranks of which each has an interpreter.

list(APPEND CMAKE_MODULE_PATH ${pantile}/cmake)
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(ScaLAPACK REQUIRED)
set(tests ${pantile}/unit_tests/mpi/main.cpp ${pantile}/unit_tests/mpi/test_device_parts.cpp
          ${pantile}/unit_tests/mpi/test_exchange.cpp ${pantile}/unit_tests/mpi/test_slabs.cpp
)
file(GLOB library CONFIGURE_DEPENDS ${pantile}/src/lib/mpi/*.cpp)
pantile_cuda(${tests} ${library})
add_executable(mpi ${tests} ${library})
target_link_libraries(mpi PRIVATE support ScaLAPACK::ScaLAPACK MPI::MPI_CXX ${CMAKE_DL_LIBS})
# The library's files as one: nvcc takes most of its time for the headers.
set_target_properties(mpi PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
set_source_files_properties(${library} PROPERTIES UNITY_GROUP library)

# pantile_on_ranks(<suffix> <ranks> [<variable>=<value>...]): all cases, as one test. Ranks that wait sleep.
function(pantile_on_ranks suffix ranks)
  add_test(NAME mpi:${suffix} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} --oversubscribe
                                      --allow-run-as-root --bind-to none --mca mpi_yield_when_idle 1
                                      --mca threads_pthreads_yield_strategy nanosleep $<TARGET_FILE:mpi>
                                      --gtest_brief=1
  )
  set_tests_properties(
    mpi:${suffix} PROPERTIES LABELS device TIMEOUT 600 PROCESSORS ${ranks} ENVIRONMENT
                             "PANTILE_INTERPRETER_REPORT=${reports}/mpi:${suffix};${ARGN}"
  )
endfunction()

foreach(ranks IN ITEMS 1 2 4)
  pantile_on_ranks(${ranks} ${ranks})
endforeach()
