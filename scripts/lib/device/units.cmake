# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DOUT=DIR [-DPANTILE_FOR_SPACES=MACRO] -P units.cmake
# Writes what a configuration generates, from the same templates and the same manifest, but without a Kokkos:
# OUT/include (configuration header, declarations of what the library holds), OUT/units
# (one instantiation unit per operation and element type) and OUT/operations (all units of an operation as one file:
# most of a unit's time goes into Kokkos' headers). MACRO of impl/arch/spaces.hpp says for which spaces: by default all.
# For the same reason OUT/examples has the numbered examples, several in a file, each in a namespace of its own, and
# examples.inc with a line EXAMPLE(<name>) for each; those on ranks are left out, since there is no MPI beside every
# device's compiler. Files whose text stays are not touched.
cmake_minimum_required(VERSION 3.25)

cmake_path(ABSOLUTE_PATH OUT NORMALIZE)
cmake_path(SET source NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
include("${source}/cmake/PantileManifest.cmake")

if(NOT DEFINED PANTILE_FOR_SPACES)
  set(PANTILE_FOR_SPACES PANTILE_FOR_EACH_SPACE)
endif()
set(PANTILE_ENABLE_KOKKOS_KERNELS_01 0)
configure_file("${source}/cmake/config.hpp.in" "${OUT}/include/pantile/config.hpp" @ONLY)

file(GLOB stale "${OUT}/units/*.cpp" "${OUT}/operations/*.cpp" "${OUT}/examples/*.cpp")
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

file(GLOB examples "${source}/examples/[0-9]*/*.cpp")
set(list "")
set(number 0)
foreach(example IN LISTS examples)
  file(STRINGS "${example}" headers REGEX "^#include")
  if(headers MATCHES "pantile/mpi/")
    continue()
  endif()
  list(JOIN headers "\n" headers)
  cmake_path(GET example STEM name)
  string(APPEND list "EXAMPLE(${name})\n")
  math(EXPR last "${number} / 5")
  math(EXPR number "${number} + 1")
  string(APPEND text_${last} "${headers}\nnamespace example_${name} {\n#include \"${example}\"\n}\n")
endforeach()
foreach(file RANGE ${last})
  file(CONFIGURE OUTPUT "${OUT}/examples/${file}.cpp" CONTENT "${text_${file}}" @ONLY)
  list(REMOVE_ITEM stale "${OUT}/examples/${file}.cpp")
endforeach()
file(CONFIGURE OUTPUT "${OUT}/examples/examples.inc" CONTENT "${list}" @ONLY)
if(stale)
  file(REMOVE ${stale})
endif()
