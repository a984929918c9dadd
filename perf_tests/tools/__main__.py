# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 perf_tests/tools COMMAND: see command_line.py."""

import sys

import command_line

sys.exit(command_line.main())
