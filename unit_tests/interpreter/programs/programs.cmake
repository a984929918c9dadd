# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What runs on the interpreter.

pantile_device_test(launch launch/test_workspace.cpp launch/test_mdrange.cpp)
pantile_device_test(fill fill/test_fill.cpp)
pantile_device_test(reverse reverse/test_reverse.cpp)
pantile_device_test(team team/test_tiles.cpp team/test_loops.cpp team/test_matmul.cpp)
pantile_device_test(transfer transfer/test_copy.cpp transfer/test_scope.cpp transfer/test_pipeline.cpp)
