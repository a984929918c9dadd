# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loaded by bash-completion when `pantile` is completed for the first time: the program knows its options.
eval "$(pantile --completion bash 2>/dev/null)"
