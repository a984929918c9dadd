# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The host kernels, compiled once per instruction set, PANTILE_ISA, and chosen at run time (arch/host/isa.hpp): a binary
# built with generic flags is at full speed on any CPU. The sources hold nothing but tables of functions, but for one,
# which is compiled for the generic set only: which processors share a cache.

set(pantile_isa_sources lib/isa/matmul.cpp lib/isa/transpose.cpp lib/isa/add.cpp lib/isa/histogram.cpp
    lib/isa/matmul_low_precision.cpp)
set(pantile_isa_host_source lib/isa/topology.cpp)
# Sets that differ from the one before them in products of elements of low precision only have but these.
set(pantile_isa_dot_sources lib/isa/matmul_low_precision.cpp)

# The sets for the processor that is compiled for, and their flags.
set(pantile_isa_generic_flags "")
set(pantile_isa_neon_flags "")
set(pantile_isa_avx2_flags -mavx2 -mfma -mf16c)
set(pantile_isa_avx512_flags -mavx2 -mfma -mf16c -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
set(pantile_isa_avx512vnni_flags ${pantile_isa_avx512_flags} -mavx512vnni)
set(pantile_isa_avx512bf16_flags ${pantile_isa_avx512vnni_flags} -mavx512bf16)
set(pantile_dot_isas "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(pantile_isas generic avx2 avx512)
  set(pantile_dot_isas avx512vnni avx512bf16)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(pantile_isas generic neon)
else()
  set(pantile_isas generic)
endif()

set(Pantile_MICRO_KERNEL_OPTIMIZATION -O3 CACHE STRING "Optimisation level of the host kernels, in every build type")
mark_as_advanced(Pantile_MICRO_KERNEL_OPTIMIZATION)

# Adds the units to a library target.
function(pantile_add_isa_units target)
  foreach(isa IN LISTS pantile_isas pantile_dot_isas)
    set(sources ${pantile_isa_sources})
    if(isa IN_LIST pantile_dot_isas)
      set(sources ${pantile_isa_dot_sources})
    endif()
    if(isa STREQUAL "generic")
      list(APPEND sources ${pantile_isa_host_source})
    endif()
    add_library(pantile_isa_${isa} OBJECT ${sources})
    set_target_properties(
      pantile_isa_${isa} PROPERTIES POSITION_INDEPENDENT_CODE ON EXCLUDE_FROM_ALL ON CXX_EXTENSIONS OFF
    )
    target_compile_features(pantile_isa_${isa} PRIVATE cxx_std_20)
    target_compile_definitions(pantile_isa_${isa} PRIVATE PANTILE_ISA=${isa})
    target_include_directories(pantile_isa_${isa} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..
      ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../include)
    # Contraction to fused multiply-add is what these kernels are for. Where a loop has one sum only, GCC would rather
    # not, and that sum would differ from the same one in a larger tile.
    target_compile_options(
      pantile_isa_${isa} PRIVATE ${Pantile_MICRO_KERNEL_OPTIMIZATION} -ffp-contract=fast
                                 $<$<CXX_COMPILER_ID:GNU>:--param=avoid-fma-max-bits=0>
                                 ${pantile_isa_${isa}_flags}
    )
    pantile_set_warnings(pantile_isa_${isa})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:pantile_isa_${isa}>)
  endforeach()
endfunction()
