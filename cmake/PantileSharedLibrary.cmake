# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Libraries for programs that know neither C++ nor Kokkos: shared ones even where pantile is static, each a CMake
# component with an export set of its own and a pkg-config file. With BUILD_SHARED_LIBS they take libpantile.so from
# beside them.

# Asked of the linker for a Kokkos that was found, of the target for one that is built along: does it consist of
# position-independent code?
function(pantile_ask_kokkos)
  if(TARGET kokkoscore)
    get_target_property(type kokkoscore TYPE)
    get_target_property(pic kokkoscore POSITION_INDEPENDENT_CODE)
    if(type STREQUAL "SHARED_LIBRARY" OR pic)
      set(Pantile_KOKKOS_FITS_SHARED_LIBRARY ON PARENT_SCOPE)
    else()
      set(Pantile_KOKKOS_FITS_SHARED_LIBRARY OFF PARENT_SCOPE)
    endif()
  elseif(NOT DEFINED Pantile_KOKKOS_FITS_SHARED_LIBRARY AND Kokkos_DIR)
    set(probe ${PROJECT_BINARY_DIR}/generated/probe.cpp)
    file(WRITE ${probe}
         "#include <Kokkos_Core.hpp>\nvoid probe() { if (!Kokkos::is_initialized()) Kokkos::initialize(); }\n"
    )
    try_compile(
      Pantile_KOKKOS_FITS_SHARED_LIBRARY SOURCES ${probe}
      LINK_LIBRARIES Kokkos::kokkos
      COMPILE_DEFINITIONS -fPIC
      LINK_OPTIONS -shared
      CXX_STANDARD 20
      CXX_STANDARD_REQUIRED ON
    )
  endif()
endfunction()

# pantile_shared_library_refusal(<variable>): why this build has no such libraries, or nothing.
function(pantile_shared_library_refusal variable)
  set(refusal "")
  pantile_ask_kokkos()
  if(NOT UNIX)
    set(refusal "it needs pthreads and interposable symbols")
  elseif("THREADS" IN_LIST Kokkos_DEVICES)
    set(refusal "it never finalises Kokkos, whose Threads backend then uses freed memory when the program ends")
  elseif(NOT Kokkos_DEVICES MATCHES "SERIAL|OPENMP")
    set(refusal "Kokkos has neither Serial nor OpenMP")
  elseif(DEFINED Pantile_KOKKOS_FITS_SHARED_LIBRARY AND NOT Pantile_KOKKOS_FITS_SHARED_LIBRARY)
    set(refusal "this Kokkos cannot be linked into a shared library (build it with CMAKE_POSITION_INDEPENDENT_CODE=ON)")
  endif()
  set(${variable} "${refusal}" PARENT_SCOPE)
endfunction()

# pantile_add_component(<name> ABI <number in the soname> VERSION <version> DESCRIPTION <sentence> SOURCES <file>...
#                       [HEADERS <header>...] [CFLAGS <for pkg-config>])
# libpantile_<name>.so as Pantile::<name>, which shows what the folder's exports.map lists.
function(pantile_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ABI;VERSION;DESCRIPTION;CFLAGS" "SOURCES;HEADERS")
  set(library pantile_${name})
  add_library(${library} SHARED ${arg_SOURCES})
  add_library(Pantile::${name} ALIAS ${library})
  set_target_properties(
    ${library}
    PROPERTIES EXPORT_NAME ${name}
               VERSION ${arg_VERSION}
               SOVERSION ${arg_ABI}
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
  )
  if(arg_HEADERS)
    target_sources(
      ${library}
      PUBLIC FILE_SET public_c_headers TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${arg_HEADERS}
    )
  endif()
  if(NOT APPLE)
    target_link_options(
      ${library} PRIVATE LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/exports.map LINKER:-z,nodelete
    )
    set_target_properties(${library} PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
  endif()
  if(NOT Pantile_ENABLE_INSTALL)
    return()
  endif()
  set(headers "")
  if(arg_HEADERS)
    set(headers FILE_SET public_c_headers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(TARGETS ${library} EXPORT Pantile_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${headers})
  install(
    EXPORT Pantile_${name}
    FILE Pantile_${name}.cmake
    NAMESPACE Pantile::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Pantile
  )
  if(NOT arg_CFLAGS)
    set(arg_CFLAGS "-I\${includedir}")
  endif()
  pantile_install_pc(${library} "${arg_DESCRIPTION}" "${arg_CFLAGS}" "-L\${libdir} -l${library}")
endfunction()

# pantile_install_pc(<name> <description> <compiler flags> <linker flags>): <name>.pc, which takes the prefix from its
# own place, since cmake --install --prefix comes after this and installations are moved.
function(pantile_install_pc pc_name pc_description pc_cflags pc_libs)
  file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
  file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/pantile.pc.in ${PROJECT_BINARY_DIR}/generated/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
