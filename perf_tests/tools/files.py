# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are there whole or not at all."""

import contextlib


def write_whole(path, content):
    """Text or bytes: whoever stops the program finds the file of before, never a part of the new one. An OSError, such
    as of a full disk, names the file; nothing stays then.
    """
    part = path.with_name(path.name + ".part")
    try:
        if isinstance(content, bytes):
            part.write_bytes(content)
        else:
            part.write_text(content, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
