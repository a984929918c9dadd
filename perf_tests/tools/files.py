# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are there whole or not at all."""

import contextlib


def write_whole(path, content):
    """Text or bytes: whoever stops the program finds the file of before, never a part of the new one. An OSError, such
    as of a full disk, names the file; nothing stays then. A device or a pipe is written to and stays what it is.
    """
    content = content if isinstance(content, bytes) else content.encode("utf-8")
    is_no_file = path.exists() and not path.is_file() and not path.is_dir()
    part = path if is_no_file else path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        if not is_no_file:
            part.replace(path)
    except OSError as error:
        if not is_no_file:
            with contextlib.suppress(OSError):
                part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
