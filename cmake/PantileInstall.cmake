# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)

set(pantile_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Pantile)

set(pantile_installed_targets pantile_header_only pantile_micro_kernels)
if(Pantile_BUILD_LIBRARY)
  list(APPEND pantile_installed_targets pantile)
endif()
install(
  TARGETS ${pantile_installed_targets}
  EXPORT PantileTargets
  FILE_SET headers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
)
install(
  FILES ${PROJECT_BINARY_DIR}/generated/pantile/config.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pantile
)
if(Pantile_BUILD_LIBRARY)
  install(
    DIRECTORY ${PROJECT_BINARY_DIR}/generated/pantile/instances
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pantile
  )
endif()
install(EXPORT PantileTargets NAMESPACE Pantile:: DESTINATION ${pantile_config_dir})

if(PANTILE_HAS_PC)
  get_target_property(pantile_kokkos_includes Kokkos::kokkoscore INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(pantile_kokkos_library Kokkos::kokkoscore LOCATION)
  cmake_path(GET pantile_kokkos_library PARENT_PATH pantile_kokkos_folder)
  set(pantile_flags "-std=c++20 -I\${includedir} -DPANTILE_USE_MICRO_KERNELS -pthread")
  set(pantile_libraries "-L\${libdir}")
  if(Pantile_BUILD_LIBRARY)
    string(APPEND pantile_flags " -DPANTILE_USE_LIBRARY")
    string(APPEND pantile_libraries " -lpantile")
  endif()
  foreach(folder IN LISTS pantile_kokkos_includes)
    string(APPEND pantile_flags " -I${folder}")
  endforeach()
  string(APPEND pantile_libraries " -lpantile_micro_kernels -L${pantile_kokkos_folder} -lkokkoscontainers -lkokkoscore")
  string(APPEND pantile_libraries " -pthread -ldl")
  if("OPENMP" IN_LIST Kokkos_DEVICES)
    find_package(OpenMP QUIET COMPONENTS CXX)
    string(APPEND pantile_flags " ${OpenMP_CXX_FLAGS}")
    string(APPEND pantile_libraries " ${OpenMP_CXX_FLAGS}")
  endif()
  pantile_install_pc(pantile "Dense 2D kernels on Kokkos, for C++" "${pantile_flags}" "${pantile_libraries}")
  if(TARGET pantile_mpi)
    # For MPI's own compiler, which has the flags of MPI; the BLAS layer stands before ScaLAPACK's BLAS.
    set(pantile_mpi_libraries "-L\${libdir} -lpantile_mpi")
    if(TARGET pantile_blas)
      string(APPEND pantile_mpi_libraries " -lpantile_blas")
    endif()
    list(JOIN ScaLAPACK_LIBRARIES " " pantile_scalapack)
    string(APPEND pantile_mpi_libraries " ${pantile_scalapack} ${pantile_libraries}")
    pantile_install_pc(
      pantile_mpi "Matrices distributed over ranks, on Kokkos, for mpicxx" "${pantile_flags}" "${pantile_mpi_libraries}"
    )
  endif()
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/PantileConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/PantileConfig.cmake
  INSTALL_DESTINATION ${pantile_config_dir}
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/generated/PantileConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(
  FILES ${PROJECT_BINARY_DIR}/generated/PantileConfig.cmake ${PROJECT_BINARY_DIR}/generated/PantileConfigVersion.cmake
  DESTINATION ${pantile_config_dir}
)
