# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings for Pantile's own programs and units; private, so that users keep their own.
function(pantile_set_warnings target)
  target_compile_options(
    ${target}
    PRIVATE
      $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall
      -Wextra
      -Wshadow
      -Wnon-virtual-dtor>
      $<$<AND:$<CXX_COMPILER_ID:GNU,Clang,AppleClang>,$<BOOL:${Pantile_WARNINGS_AS_ERRORS}>>:-Werror>
  )
endfunction()

# pkg-config for C++ on hosts: Kokkos has no such file of its own, so that pantile.pc names where it was found. For
# devices its package has flags for one compiler, which other build systems would have to run as CMake does.
set(PANTILE_HAS_PC OFF)
if(Kokkos_DIR AND NOT Pantile_ENABLE_KOKKOS_KERNELS AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
  set(PANTILE_HAS_PC ON)
endif()

# Kokkos_Core.hpp is most of what a unit compiles: every group of targets with like flags compiles it once. Not in a
# project that has Pantile as its part, whose compiler cache may not bear it; not for devices, where a unit is compiled
# several times. What a header forgets to include is found by unit_tests/headers, which compiles without.
if(NOT PROJECT_IS_TOP_LEVEL OR Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# pantile_precompile(<program> <group> [HEADERS <header>...] [OPTIONS <compile option>...] [LIBRARIES <target>...]):
# the programs of a group, and what they all have: a compiler takes a precompiled header only with the same options.
# GCC, which collects its garbage when its heap has grown by as much as a precompiled header is, waits for a gigabyte.
function(pantile_precompile program group)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "HEADERS;OPTIONS;LIBRARIES")
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(NOT TARGET ${group})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp CONTENT "// holds no code\n")
    add_library(${group} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
    target_link_libraries(${group} PRIVATE Pantile::header_only ${arg_LIBRARIES})
    target_compile_options(${group} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${group} PRIVATE <Kokkos_Core.hpp> ${arg_HEADERS})
  endif()
  target_precompile_headers(${program} REUSE_FROM ${group})
  target_compile_options(${program} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
endfunction()
