# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DOUT=DIR [-DPANTILE_FOR_SPACES=MACRO] -P units.cmake
# Writes what a configuration generates, from the same templates and the same manifest, but without a Kokkos:
# OUT/include (configuration header, declarations of what the library holds), OUT/units
# (one instantiation unit per operation and element type) and OUT/operations (all units of an operation as one file:
# most of a unit's time goes into Kokkos' headers). MACRO of impl/arch/spaces.hpp says for which spaces: by default all.
# Files whose text stays are not touched.
cmake_minimum_required(VERSION 3.25)

cmake_path(ABSOLUTE_PATH OUT NORMALIZE)
cmake_path(SET source NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
include("${source}/cmake/PantileManifest.cmake")

if(NOT DEFINED PANTILE_FOR_SPACES)
  set(PANTILE_FOR_SPACES PANTILE_FOR_EACH_SPACE)
endif()
set(PANTILE_ENABLE_KOKKOS_KERNELS_01 0)
configure_file("${source}/cmake/config.hpp.in" "${OUT}/include/pantile/config.hpp" @ONLY)

file(GLOB stale "${OUT}/units/*.cpp" "${OUT}/operations/*.cpp")
foreach(PANTILE_OPERATION IN LISTS Pantile_OPERATIONS)
  set(PANTILE_DECLARATIONS "")
  set(units "")
  foreach(PANTILE_ELEMENT IN LISTS Pantile_${PANTILE_OPERATION}_ELEMENTS)
    string(MAKE_C_IDENTIFIER "${PANTILE_OPERATION}_${PANTILE_ELEMENT}" unit)
    configure_file("${source}/src/lib/instantiate.cpp.in" "${OUT}/units/${unit}.cpp" @ONLY)
    list(REMOVE_ITEM stale "${OUT}/units/${unit}.cpp")
    string(APPEND units "#include \"../units/${unit}.cpp\"\n")
    string(APPEND PANTILE_DECLARATIONS
           "${PANTILE_FOR_SPACES}(PANTILE_INSTANTIATE, extern template, ${PANTILE_ELEMENT})\n"
    )
  endforeach()
  file(CONFIGURE OUTPUT "${OUT}/operations/${PANTILE_OPERATION}.cpp" CONTENT "${units}")
  list(REMOVE_ITEM stale "${OUT}/operations/${PANTILE_OPERATION}.cpp")
  configure_file("${source}/src/lib/extern.hpp.in" "${OUT}/include/pantile/instances/${PANTILE_OPERATION}.hpp" @ONLY)
endforeach()
if(stale)
  file(REMOVE ${stale})
endif()
