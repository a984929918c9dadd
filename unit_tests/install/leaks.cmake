# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What Pantile may bring into a user's project, and nothing else.

# Targets, variables and flags before Pantile comes.
macro(remember_everything)
  get_property(before_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  get_property(before_variables DIRECTORY PROPERTY VARIABLES)
  get_property(before_cache DIRECTORY PROPERTY CACHE_VARIABLES)
  set(before_flags "${CMAKE_CXX_FLAGS}|${CMAKE_CXX_STANDARD}|${CMAKE_BUILD_TYPE}|${BUILD_SHARED_LIBS}")
endmacro()

# expect_only(<what> <allowed regex> <before> <after>): what is new must match.
function(expect_only what allowed before after)
  list(REMOVE_ITEM after ${before} "")
  list(FILTER after EXCLUDE REGEX "${allowed}")
  if(after)
    message(FATAL_ERROR "Pantile leaks ${what}: ${after}")
  endif()
endfunction()

function(expect_property target property allowed)
  get_target_property(values ${target} ${property})
  if(values)
    foreach(value IN LISTS values)
      if(NOT value MATCHES "${allowed}")
        message(FATAL_ERROR "${target} gives its users ${property} ${value}")
      endif()
    endforeach()
  endif()
endfunction()

macro(check_leaks)
  get_property(after_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  get_property(after_variables DIRECTORY PROPERTY VARIABLES)
  get_property(after_cache DIRECTORY PROPERTY CACHE_VARIABLES)
  expect_only("imported targets" "^Pantile::(pantile|header_only|micro_kernels|blas|c|fortran)$" "${before_targets}"
              "${after_targets}"
  )
  expect_only(
    "variables" "^(before|after)_|^Pantile_|^PACKAGE_|^CMAKE_|^Kokkos_|^KOKKOS_|^_|^ARG" "${before_variables}"
    "${after_variables}"
  )
  expect_only("cache entries" "^Pantile_|^CMAKE_(INSTALL|PROJECT)_|^_GNUInstallDirs_" "${before_cache}"
              "${after_cache}"
  )
  if(NOT "${before_flags}" STREQUAL
     "${CMAKE_CXX_FLAGS}|${CMAKE_CXX_STANDARD}|${CMAKE_BUILD_TYPE}|${BUILD_SHARED_LIBS}"
  )
    message(FATAL_ERROR "Pantile changes the user's flags")
  endif()
  if(PANTILE_SOURCE)
    get_property(folders DIRECTORY ${PANTILE_SOURCE} PROPERTY SUBDIRECTORIES)
    foreach(folder IN LISTS PANTILE_SOURCE folders)
      get_property(folder_targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
      expect_only("targets" "^pantile(_header_only|_micro_kernels|_isa_[a-z0-9]+)?$" "" "${folder_targets}")
      get_property(folder_tests DIRECTORY ${folder} PROPERTY TESTS)
      expect_only("tests" "^$" "" "${folder_tests}")
    endforeach()
  endif()
  foreach(target IN ITEMS Pantile::pantile Pantile::header_only)
    expect_property(${target} INTERFACE_COMPILE_OPTIONS "^$")
    expect_property(${target} INTERFACE_LINK_OPTIONS "^$")
    expect_property(${target} INTERFACE_COMPILE_DEFINITIONS "^PANTILE_USE_LIBRARY$")
    expect_property(${target} INTERFACE_COMPILE_FEATURES "^cxx_std_20$")
    expect_property(${target} INTERFACE_INCLUDE_DIRECTORIES "/(include|src|generated)>?$")
    expect_property(${target} INTERFACE_LINK_LIBRARIES
                    "^((Pantile::|pantile_)(header_only|micro_kernels)|Kokkos::.*|KokkosKernels::.*)$"
    )
  endforeach()
  if(TARGET Pantile::blas)  # for programs that know nothing of Kokkos
    foreach(property IN ITEMS COMPILE_OPTIONS LINK_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES LINK_LIBRARIES)
      expect_property(Pantile::blas INTERFACE_${property} "^$")
    endforeach()
    expect_property(Pantile::blas INTERFACE_INCLUDE_DIRECTORIES "/include>?$")
  endif()
endmacro()
