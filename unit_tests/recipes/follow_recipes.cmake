# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DSOURCE=DIR -DRECIPES=DIR -DCOPY=DIR -DKokkos_DIR=DIR -DCXX=COMPILER -P follow_recipes.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${status}):\n${output}")
  endif()
endfunction()

# insert(<file> AFTER|BEFORE <text that must be there> <new text>)
function(insert file where anchor text)
  file(READ "${COPY}/${file}" content)
  string(FIND "${content}" "${anchor}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${file} has no line '${anchor}' any more: mend the recipe")
  endif()
  if(where STREQUAL "AFTER")
    set(both "${anchor}${text}")
  else()
    set(both "${text}${anchor}")
  endif()
  string(REPLACE "${anchor}" "${both}" content "${content}")
  file(WRITE "${COPY}/${file}" "${content}")
endfunction()

file(REMOVE_RECURSE "${COPY}")
file(COPY "${SOURCE}/CMakeLists.txt" "${SOURCE}/cmake" "${SOURCE}/include" "${SOURCE}/src" DESTINATION "${COPY}")

# Recipe "a new operation": its folder and face, and two lines in the manifest. The manifest is emptied first to save
# time: what is left to build is what the recipe adds.
file(COPY "${RECIPES}/operation/" DESTINATION "${COPY}")
file(APPEND "${COPY}/cmake/PantileManifest.cmake" "
set(Pantile_OPERATIONS negate add matmul)
set(Pantile_matmul_ELEMENTS)
set(Pantile_add_ELEMENTS std::int16_t)
set(Pantile_negate_ELEMENTS float std::int16_t)
")

# Recipe "a new element type": one specialisation, one line in the manifest (above).
insert(
  include/pantile/element.hpp
  BEFORE
  "// Kokkos' half_t and bhalf_t are aliases"
  "template <>
struct element_traits<std::int16_t>
    : impl::ElementTraitsBase<std::int16_t, ElementKind::integer, std::int32_t, std::uint32_t> {
  static constexpr char const* name = \"int16\";
};

"
)

# In a user's own code it takes nothing that is the library's alone.
file(STRINGS "${RECIPES}/checks/element.cpp" private REGEX "impl::")
if(private)
  message(FATAL_ERROR "checks/element.cpp: an element type of a user's own names impl::: ${private}")
endif()

# Recipe "a new machine": its folder and its lines in current.hpp.
file(COPY "${RECIPES}/machine/" DESTINATION "${COPY}")
insert(
  src/pantile/impl/arch/current.hpp
  AFTER
  "#include <pantile/impl/arch/host/traits.hpp>"
  "\n#include <pantile/impl/arch/toy/traits.hpp>"
)
insert(
  src/pantile/impl/arch/current.hpp
  AFTER
  "struct CurrentArch {
  using type = Host;
};"
  "
template <>
struct CurrentArch<Kokkos::DefaultHostExecutionSpace> {
  using type = Toy;
};"
)

set(build "${COPY}/build")
file(COPY "${RECIPES}/checks" DESTINATION "${COPY}")
file(APPEND "${COPY}/CMakeLists.txt" "
foreach(recipe IN ITEMS operation element machine)
  add_executable(check_\${recipe} checks/\${recipe}.cpp)
  target_link_libraries(check_\${recipe} PRIVATE Pantile::pantile)
endforeach()
")
run("${CMAKE_COMMAND}" -S "${COPY}" -B "${build}" "-DKokkos_DIR=${Kokkos_DIR}" "-DCMAKE_CXX_COMPILER=${CXX}"
    -DPantile_ENABLE_TESTS=OFF -DPantile_ENABLE_DRIVER=OFF -DPantile_ENABLE_EXAMPLES=OFF -DPantile_ENABLE_BLAS=OFF
    -DPantile_ENABLE_C=OFF -DPantile_ENABLE_FORTRAN=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O1
    -DPantile_MICRO_KERNEL_OPTIMIZATION=-O0)
run("${CMAKE_COMMAND}" --build "${build}" --parallel 2)
foreach(recipe IN ITEMS operation element machine)
  run("${build}/check_${recipe}")
  message(STATUS "recipe '${recipe}' holds")
endforeach()
