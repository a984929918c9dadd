# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ScaLAPACK::ScaLAPACK, with PBLAS and BLACS, for the MPI that the build uses. ScaLAPACK_LIBRARIES names the libraries
# where they are not found, or are several, such as a vendor's; integers are int (LP64).

find_library(ScaLAPACK_LIBRARY NAMES scalapack scalapack-openmpi scalapack-mpich)
mark_as_advanced(ScaLAPACK_LIBRARY)
set(ScaLAPACK_LIBRARIES "${ScaLAPACK_LIBRARY}" CACHE STRING "ScaLAPACK with PBLAS and BLACS")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ScaLAPACK REQUIRED_VARS ScaLAPACK_LIBRARIES)
if(ScaLAPACK_FOUND AND NOT TARGET ScaLAPACK::ScaLAPACK)
  add_library(ScaLAPACK::ScaLAPACK INTERFACE IMPORTED)
  target_link_libraries(ScaLAPACK::ScaLAPACK INTERFACE ${ScaLAPACK_LIBRARIES})
endif()
