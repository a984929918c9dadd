# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For every entry point of NVIDIA's library a function that stops the program with its name. They are weak: what the
runtime has takes their place. missing_entries.py LIBRARY OUTPUT."""

import pathlib
import subprocess
import sys

HEAD = """\
// Made by missing_entries.py.
namespace pantile_interpreter::runtime { [[noreturn]] void stop_at_missing(char const* entry); }
using pantile_interpreter::runtime::stop_at_missing;
"""


def entries(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    symbols = (line.split()[1:] for line in listing.splitlines())
    return sorted({name.partition("@")[0] for kind, name in symbols if kind in "TW"})


def main(library, output):
    names = entries(library)
    if not names:
        raise SystemExit(f"no entry points found in {library}")
    lines = (f'extern "C" [[gnu::weak]] void {name}() {{ stop_at_missing("{name}"); }}\n' for name in names)
    pathlib.Path(output).write_text(HEAD + "".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
