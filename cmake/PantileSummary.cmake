# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "Pantile ${PROJECT_VERSION}")
  foreach(line IN LISTS pantile_dependency_report)
    message(STATUS "  ${line}")
  endforeach()
  message(STATUS "  Kokkos devices: ${Kokkos_DEVICES}")
  message(STATUS "  Build type: ${CMAKE_BUILD_TYPE}")
  foreach(
    option IN ITEMS BUILD_LIBRARY ENABLE_BLAS ENABLE_C ENABLE_FORTRAN ENABLE_PYTHON ENABLE_KOKKOS_KERNELS ENABLE_MPI
                    ENABLE_DRIVER ENABLE_HDF5 ENABLE_TESTS ENABLE_EXAMPLES ENABLE_PERF_TESTS ENABLE_INSTALL
  )
    message(STATUS "  Pantile_${option}: ${Pantile_${option}}")
  endforeach()
endif()
