"""Open plain files only: a pipe in their place would block the reader, and a device never ends."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_plain(path: str | Path) -> BinaryIO:
    """Open a plain file, or a link to one, to be read.

    Raises OSError, and waits for nothing, for a folder, pipe, socket or device; what is there is asked of the open
    file, so that nobody can put another in its place between asking and opening.
    """
    waits_not = getattr(os, "O_NONBLOCK", 0)  # without it, opening a pipe waits for somebody who writes
    handle = os.open(path, os.O_RDONLY | waits_not | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "It is a device, pipe or socket and no plain file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_plain(path: str | Path) -> bytes:
    """Return the bytes of a plain file. Raises OSError as `open_plain` does."""
    with open_plain(path) as file:
        return file.read()


def read_plain_text(path: str | Path) -> str:
    """Return the text of a plain UTF-8 file. Raises OSError as `open_plain` does, and UnicodeDecodeError."""
    return read_plain(path).decode("utf-8")
