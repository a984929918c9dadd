# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are there whole or not at all."""


def write_whole(path, content):
    """Text or bytes: whoever stops the program finds the file of before, never a part of the new one."""
    part = path.with_name(path.name + ".part")
    if isinstance(content, bytes):
        part.write_bytes(content)
    else:
        part.write_text(content, encoding="utf-8")
    part.replace(path)
