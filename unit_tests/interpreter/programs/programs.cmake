# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is executed: the tests that scripts/gpu_bench takes to a device, without those that need gigabytes.

# _tests(<program> <folder> <part>...): unit_tests/<folder>/test_<part>.cpp.
function(_tests program folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${folder}/test_\\1.cpp" OUTPUT_VARIABLE files)
  pantile_device_test(${program} ${files})
endfunction()

# Those that take longest to compile come first.
_tests(matmul_tiles matmul every_tile)
_tests(matmul matmul shapes default_space layouts views tiles errors instances numerics integers)
_tests(matmul_mixed matmul mixed_integers mixed_reals mixed_complex mixed_accumulators)
_tests(histogram histogram counting errors policy tuples weighted outside outside_tuples rounds)
_tests(transpose transpose shapes layouts rectangular errors)
pantile_device_test(transpose_widths interpreter/programs/test_transpose_widths.cpp)
_tests(add add shapes layouts numerics mixed errors)
_tests(transfer transfer copy arrival errors scope staged chunks)
_tests(pipeline transfer pipeline)
pantile_device_test(waits interpreter/programs/test_waits.cpp)
_tests(fill fill fill)
_tests(reverse reverse reverse)
_tests(team team tiles loops matmul)
_tests(launch launch workspace mdrange)
_tests(contract contract contract)

# Orders of streams, of warps and of CTAs that CUDA permits too.
foreach(program IN ITEMS transfer pipeline waits launch)
  foreach(seed IN ITEMS 1 2 3)
    pantile_again(${program} seed_${seed} PANTILE_INTERPRETER_SEED=${seed})
  endforeach()
  pantile_again(${program} at_once PANTILE_INTERPRETER_STREAMS=at_once)
endforeach()
foreach(program IN ITEMS team contract transpose_widths)
  pantile_again(${program} seed_1 PANTILE_INTERPRETER_SEED=1)
endforeach()
pantile_again(matmul seed_1 PANTILE_INTERPRETER_SEED=1)
