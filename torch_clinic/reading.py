"""Reads a saved error: a file or a pipe, UTF-8 or the UTF-16 that PowerShell writes, and of a long file its end."""

import errno
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

MOST = 4_000_000  # bytes; in any encoding more than the diagnosis.MOST_CHARACTERS that are searched


class Unreadable(Exception):
    """A file without an error's text in it; the message names the file, what is wrong, and what to do."""


def read(name: str) -> str:
    """Return the text in a file, of a long one its end, or the text on standard input for `-`.

    Raises `Unreadable` for a file that cannot be read, is empty or holds no text.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else _end(Path(name))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise Unreadable(
            f"{name}: {getattr(error, 'strerror', error)}; give a file that holds the error's text, or - for a pipe"
        ) from None
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", errors="replace")
    if not text.strip():
        raise Unreadable(f"{name}: there is no text in it; save the whole error, from its first line to its last")
    if "\0" in text:
        raise Unreadable(f"{name}: that is no text; save the error as a text file")
    return text


def _end(path: Path) -> bytes:
    """Return the end of a file, which is all that is looked at; of UTF-16 with the mark that it begins with."""
    with _open_plain(path) as file:
        mark = file.read(2)
        size = file.seek(0, 2)
        start = max(0, size - MOST)
        file.seek(start - start % 2)
        data = file.read(MOST + 1)
    return mark + data if start and mark in (b"\xff\xfe", b"\xfe\xff") else data


def _open_plain(path: Path) -> BinaryIO:
    """Open a plain file or a link to one. Raises OSError, and waits for nothing, for a folder, pipe or device."""
    no_wait = getattr(os, "O_NONBLOCK", 0)  # without it, opening a pipe waits until somebody writes
    handle = os.open(path, os.O_RDONLY | no_wait | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode  # asked of the open file, so that nobody can put another in its place
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "It is a device, pipe or socket and no plain file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
