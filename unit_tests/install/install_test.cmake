# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DSTEP=<install|package|subdirectory> ... -P install_test.cmake: one step of the install tests.
#
#   install       -DBUILD= -DPREFIX= -DSOURCE= -DDRIVER=   install the build and look at what lies there
#   package       -DPREFIX= -DWORK= -DTARGET=    the consumer finds the installed package
#   subdirectory  -DSOURCE= -DWORK=              the consumer adds the source tree, with a library and without; where
#                                                there is a PKG_CONFIG, pkg_config follows for the latter, installed
#   pkg_config    -DPREFIX= -DWORK= -DPACKAGE= -DPROGRAM= -DCOMPILER= -DPKG_CONFIG=   a program is built by what
#                                                                             pkg-config says of a package
#   components    -DPREFIX= -DWORK= -DCONSUMER=   a project without C++ and Kokkos finds components, and runs its tests
#
# and for the consumer's configuration -DCONSUMER= and -DOPTIONS=, a list.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nexit status ${status}\n${output}")
  endif()
endfunction()

function(build_consumer target)
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK} -DPANTILE_TARGET=${target} ${OPTIONS} ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK} --target app)
  run(${WORK}/app)
endfunction()

function(build_by_pkg_config prefix)
  file(MAKE_DIRECTORY ${WORK})
  file(GLOB_RECURSE description ${prefix}/*/${PACKAGE}.pc)
  cmake_path(GET description PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(
    COMMAND ${PKG_CONFIG} --cflags --libs ${PACKAGE} OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
                                                     COMMAND_ERROR_IS_FATAL ANY
  )
  separate_arguments(flags UNIX_COMMAND "${flags}")
  cmake_path(GET folder PARENT_PATH libraries)
  run(${COMPILER} ${PROGRAM} -o ${WORK}/program ${flags} -Wl,-rpath,${libraries})
  run(${WORK}/program)
endfunction()

if(STEP STREQUAL "install")
  # The installation is moved: what it says of places must follow, and libraries find each other.
  file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.made)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}.made)
  file(RENAME ${PREFIX}.made ${PREFIX})
  foreach(file IN ITEMS matmul.hpp config.hpp impl/matmul/call.hpp)
    if(NOT EXISTS ${PREFIX}/include/pantile/${file})
      message(FATAL_ERROR "include/pantile/${file} was not installed")
    endif()
  endforeach()
  if(DRIVER)
    run(${PREFIX}/bin/pantile --help)
    foreach(file IN ITEMS man/man1/pantile.1 bash-completion/completions/pantile zsh/site-functions/_pantile)
      if(NOT EXISTS ${PREFIX}/share/${file})
        message(FATAL_ERROR "share/${file} was not installed")
      endif()
    endforeach()
  endif()
  file(GLOB_RECURSE files ${PREFIX}/include/*)
  foreach(file IN LISTS files)
    if(NOT file MATCHES "/include/pantile/(.*\\.hpp|c/[a-z]+\\.h)$")
      message(FATAL_ERROR "${file} does not belong below include")
    endif()
  endforeach()
  # Nothing that is installed may name the folders that it was built in.
  file(GLOB_RECURSE files ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/include/*.h ${PREFIX}/include/*.hpp)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    foreach(folder IN ITEMS ${SOURCE} ${BUILD})
      string(FIND "${text}" "${folder}/" position)
      if(NOT position EQUAL -1)
        message(FATAL_ERROR "${file} names ${folder}")
      endif()
    endforeach()
  endforeach()
elseif(STEP STREQUAL "pkg_config")
  file(REMOVE_RECURSE ${WORK})
  build_by_pkg_config(${PREFIX})
elseif(STEP STREQUAL "package")
  file(REMOVE_RECURSE ${WORK})
  build_consumer(${TARGET} -DCMAKE_PREFIX_PATH=${PREFIX})
elseif(STEP STREQUAL "components")
  file(REMOVE_RECURSE ${WORK})
  set(without -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON)
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK} -DCMAKE_PREFIX_PATH=${PREFIX} ${OPTIONS} ${without})
  run(${CMAKE_COMMAND} --build ${WORK})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK} --no-tests=error)
elseif(STEP STREQUAL "subdirectory")
  # One after the other, so that micro-kernels are compiled once.
  file(REMOVE_RECURSE ${WORK})
  build_consumer(Pantile::header_only -DPANTILE_SOURCE=${SOURCE} -DPantile_BUILD_LIBRARY=ON)
  build_consumer(Pantile::pantile -DPANTILE_SOURCE=${SOURCE} -DPantile_BUILD_LIBRARY=OFF -DPantile_ENABLE_INSTALL=ON)
  if(PKG_CONFIG)
    run(${CMAKE_COMMAND} --install ${WORK} --prefix ${WORK}/prefix)
    build_by_pkg_config(${WORK}/prefix)
  endif()
else()
  message(FATAL_ERROR "unknown STEP ${STEP}")
endif()
