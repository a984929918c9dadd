# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# pantile::mpi with local Views on the device, by ranks of which each has an interpreter.

list(APPEND CMAKE_MODULE_PATH ${pantile}/cmake)
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(ScaLAPACK REQUIRED)
set(tests ${pantile}/unit_tests/mpi/main.cpp ${pantile}/unit_tests/mpi/test_exchange.cpp
          ${pantile}/unit_tests/mpi/test_slabs.cpp
)
set(faces ${pantile}/unit_tests/mpi/test_device_parts.cpp)
file(GLOB library CONFIGURE_DEPENDS ${pantile}/src/lib/mpi/*.cpp)
list(FILTER library EXCLUDE REGEX transposed.cpp) # is of parts on hosts alone
pantile_cuda(${tests} ${faces} ${library})
add_executable(mpi ${tests} ${faces} ${library})
target_link_libraries(mpi PRIVATE support ScaLAPACK::ScaLAPACK MPI::MPI_CXX ${CMAKE_DL_LIBS})
# nvcc takes most of its time for the headers.
set_target_properties(mpi PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
set_source_files_properties(${library} PROPERTIES UNITY_GROUP library)
set_source_files_properties(${tests} PROPERTIES UNITY_GROUP tests)

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
pantile_on_ranks(at_once 2 PANTILE_INTERPRETER_STREAMS=at_once)
# As by an MPI that takes memory of devices: messages lie there.
foreach(ranks IN ITEMS 2 4)
  pantile_on_ranks(aware_${ranks} ${ranks} PANTILE_MPI_GPU_AWARE=1 PANTILE_INTERPRETER_HOST=reaches)
endforeach()
