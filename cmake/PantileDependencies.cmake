# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every dependency: what is in the build already, else what find_package finds, else the upstream release by
# FetchContent (Pantile_FETCH_DEPENDENCIES; FETCHCONTENT_SOURCE_DIR_<NAME> works without a network).

set(Pantile_KOKKOS_MINIMUM 4.5.1)

# A static Kokkos goes into shared libraries too.
macro(pantile_make_available package)
  if("${package}" STREQUAL "Kokkos"
     AND (Pantile_ENABLE_BLAS OR Pantile_ENABLE_C)
     AND NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE
  )
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    FetchContent_MakeAvailable(${package})
    unset(CMAKE_POSITION_INDEPENDENT_CODE)
  else()
    FetchContent_MakeAvailable(${package})
  endif()
endmacro()

# pantile_dependency(<target> <package> <repository> <tag> <purpose>)
macro(pantile_dependency target package repository tag purpose)
  if(NOT TARGET ${target})
    find_package(${package} CONFIG QUIET)
    if(TARGET ${target})
      list(APPEND pantile_dependency_report "${package} ${${package}_VERSION} (found): ${purpose}")
    elseif(Pantile_FETCH_DEPENDENCIES)
      include(FetchContent)
      FetchContent_Declare(${package} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM)
      pantile_make_available(${package})
      list(APPEND pantile_dependency_report "${package} ${tag} (fetched): ${purpose}")
    else()
      message(
        FATAL_ERROR
        "Pantile needs ${package} (${purpose}): set ${package}_ROOT, or allow Pantile_FETCH_DEPENDENCIES"
      )
    endif()
  endif()
endmacro()

pantile_dependency(Kokkos::kokkos Kokkos https://github.com/kokkos/kokkos.git 4.6.01 "execution and memory spaces")
if(DEFINED Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS Pantile_KOKKOS_MINIMUM)
  message(FATAL_ERROR "Pantile needs Kokkos >= ${Pantile_KOKKOS_MINIMUM}, found ${Kokkos_VERSION} in ${Kokkos_DIR}")
endif()
# A Kokkos that is built along does not say what a found one says.
if(NOT Kokkos_DEVICES)
  foreach(device IN ITEMS CUDA HIP SYCL OPENMP THREADS SERIAL)
    if(Kokkos_ENABLE_${device})
      list(APPEND Kokkos_DEVICES ${device})
    endif()
  endforeach()
endif()
if(Pantile_ENABLE_KOKKOS_KERNELS)
  # Upstream exports Kokkos::kokkoskernels; a Kokkos Kernels that comes with Trilinos exports KokkosKernels::all_libs.
  find_package(KokkosKernels CONFIG QUIET)
  if(TARGET KokkosKernels::all_libs)
    set(Pantile_KOKKOS_KERNELS_TARGET KokkosKernels::all_libs)
    list(APPEND pantile_dependency_report "KokkosKernels ${KokkosKernels_VERSION} (found): MatmulAlgorithm::vendor")
  else()
    set(Pantile_KOKKOS_KERNELS_TARGET Kokkos::kokkoskernels)
    pantile_dependency(
      Kokkos::kokkoskernels
      KokkosKernels
      https://github.com/kokkos/kokkos-kernels.git
      4.6.01
      "MatmulAlgorithm::vendor"
    )
  endif()
endif()
if(Pantile_ENABLE_TESTS)
  pantile_dependency(GTest::gmock GTest https://github.com/google/googletest.git v1.14.0 "unit tests")
endif()
if(Pantile_ENABLE_DRIVER)
  pantile_dependency(CLI11::CLI11 CLI11 https://github.com/CLIUtils/CLI11.git v2.3.2 "options of the driver program")
  pantile_dependency(
    nlohmann_json::nlohmann_json
    nlohmann_json
    https://github.com/nlohmann/json.git
    v3.11.2
    "reports of the driver program"
  )
endif()
if(Pantile_ENABLE_MPI)
  if(NOT Pantile_BUILD_LIBRARY)
    message(FATAL_ERROR "Pantile_ENABLE_MPI needs Pantile_BUILD_LIBRARY")
  endif()
  list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
  set(MPI_CXX_SKIP_MPICXX ON)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # for projects that have Pantile as their part
  find_package(MPI REQUIRED COMPONENTS CXX)
  find_package(ScaLAPACK REQUIRED)
  unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE pantile_mpiexec_version ERROR_QUIET)
  set(pantile_mpiexec_flags "")
  if(pantile_mpiexec_version MATCHES "Open MPI|OpenRTE")
    # It refuses more ranks than cores, and root. Ranks that wait sleep: those that yield keep others from the cores.
    set(pantile_mpiexec_flags --oversubscribe --allow-run-as-root --bind-to none)
    list(APPEND pantile_mpiexec_flags --mca mpi_yield_when_idle 1)
    list(APPEND pantile_mpiexec_flags --mca threads_pthreads_yield_strategy nanosleep)
  endif()
  set(Pantile_MPIEXEC_FLAGS "${pantile_mpiexec_flags}"
      CACHE STRING "What mpiexec is told for tests, which have more ranks than cores")
  list(APPEND pantile_dependency_report "MPI ${MPI_CXX_VERSION}, ScaLAPACK (found): distributed matrices")
endif()
if(Pantile_ENABLE_HDF5)
  enable_language(C)  # what looks for HDF5 compiles C
  find_package(HDF5 REQUIRED COMPONENTS C)
  list(APPEND pantile_dependency_report "HDF5 ${HDF5_VERSION} (found): datasets as files of the driver program")
endif()
