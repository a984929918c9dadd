# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py MODULE[,MODULE]... ARGUMENT...: pytest with these arguments, in this folder without leaving anything there.
Where a module is missing it says so and exits with 77, which ctest takes for skipped."""

import importlib.util
import sys


def exists(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # a package on the way to it
        return False


def main(modules, *arguments):
    missing = [name for name in modules.split(",") if not exists(name)]
    if missing:
        print(f"skipped: Python here lacks {', '.join(missing)}")
        return 77
    import pytest

    return pytest.main(["-q", "-p", "no:cacheprovider", *arguments])


if __name__ == "__main__":  # processes that a test starts import this file too
    sys.exit(main(*sys.argv[1:]))
