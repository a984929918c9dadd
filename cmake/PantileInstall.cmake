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
