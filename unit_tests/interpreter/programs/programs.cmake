# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is executed: the tests that scripts/gpu_bench takes to a device, without those that need gigabytes.

# Four files are compiled as one, in the order of the programs that gpu_bench takes along: nvcc takes half of its time
# for the headers, and kernels of several files are compiled once.

# _tests(<program> <folder> <part>...): unit_tests/<folder>/test_<part>.cpp.
function(_tests program folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${folder}/test_\\1.cpp" OUTPUT_VARIABLE files)
  pantile_device_test(${program} ${files})
  set_target_properties(${program} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
endfunction()

# Those that take longest to compile come first.
_tests(
  matmul
  matmul
  shapes
  default_space
  every_tile
  layouts
  views
  tiles
  errors
  mixed_integers
  instances
  numerics
  mixed_reals
  mixed_complex
  mixed_accumulators
  integers
  batched_default_space
)
_tests(histogram histogram counting errors policy tuples weighted)
_tests(transpose transpose shapes layouts rectangular errors batched_default_space)
set_target_properties(transpose PROPERTIES UNITY_BUILD_BATCH_SIZE 5)
_tests(add add shapes layouts numerics mixed errors)
_tests(transfer transfer copy arrival errors scope staged chunks)
_tests(pipeline transfer pipeline)
_tests(fill fill fill)
_tests(reverse reverse reverse)
_tests(team team tiles loops matmul thread)
_tests(launch launch workspace mdrange)
_tests(contract contract contract)
_tests(operands operands dual_view places)
_tests(out_of_core out_of_core matmul transpose stores)
pantile_device_test(transpose_widths interpreter/programs/test_transpose_widths.cpp)
pantile_device_test(streams interpreter/programs/test_streams.cpp)
pantile_device_test(rounds interpreter/programs/test_rounds.cpp)
pantile_device_test(waits interpreter/programs/test_waits.cpp)
pantile_device_test(far interpreter/programs/test_far.cpp)

# Orders of streams, of warps and of CTAs that CUDA permits too.
foreach(program IN ITEMS transfer pipeline waits launch)
  foreach(seed IN ITEMS 1 2 3)
    pantile_again(${program} seed_${seed} PANTILE_INTERPRETER_SEED=${seed})
  endforeach()
  pantile_again(${program} at_once PANTILE_INTERPRETER_STREAMS=at_once)
endforeach()
# Not transfer, whose tests drop Views that were not waited for: Kokkos' own copy of their headers relies on frees that
# wait.
foreach(program IN ITEMS pipeline waits launch)
  pantile_again(${program} frees_at_once PANTILE_INTERPRETER_FREES=at_once)
endforeach()
foreach(program IN ITEMS fill add transpose team contract operands transpose_widths)
  pantile_again(${program} seed_1 PANTILE_INTERPRETER_SEED=1)
endforeach()
pantile_again(matmul seed_1 PANTILE_INTERPRETER_SEED=1)
set_tests_properties(matmul:seed_1 PROPERTIES COST 3)
# Real weights are added in the order in which threads come by: other bits, which those cases bound.
foreach(seed IN ITEMS 0 1)
  pantile_again(histogram seed_${seed} FILTER -RealWeights/* PANTILE_INTERPRETER_SEED=${seed})
endforeach()

# Teams that go on to the next tile, or rank of the league, in the scratch of the one before. Kokkos' teams stride over
# what a grid is too small for; its ranges of several dimensions do not.
set(one_cta PANTILE_INTERPRETER_MOST_CTAS=1 PANTILE_INTERPRETER_MOST_CTAS_OF=TeamPolicy)
foreach(program IN ITEMS transpose transpose_widths reverse transfer)
  pantile_again(${program} one_cta ${one_cta})
endforeach()
pantile_again(matmul one_cta FILTER MatmulDefaultSpace/*:MatmulTiles/*:MatmulBatchesDefaultSpace/* ${one_cta})

# What scripts/check_device models the tuned kernels from.
foreach(layouts IN ITEMS rows_rows rows_columns columns_rows columns_columns)
  foreach(depth IN ITEMS Short Long)
    pantile_counts(matmul ${depth}_${layouts} */MatmulWholeTiles.${depth}/${layouts})
  endforeach()
endforeach()
foreach(way IN ITEMS ByPacks OneByOne)
  pantile_counts(transpose_widths ${way} TransposeWholeTiles/*.${way})
endforeach()
pantile_counts(streams Streams *Streams*)
