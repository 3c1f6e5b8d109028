"""Read a notebook's file, for every command alike: as it is where it fits the format, repaired where it does not.

A file that cannot be read is called what it is (empty, a web page, cut off, with the marks of a merge), because
"not JSON" helps nobody.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lessonkit.notebook.repair import repair
from lessonkit.system.plain_file import read_plain

if TYPE_CHECKING:
    from nbformat import NotebookNode

_CONFLICT = re.compile(r"^(<<<<<<<|>>>>>>>)( .*)?$", re.MULTILINE)
_OTHER_FILES = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "compressed by gzip",
    b"\x89PNG": "a picture",
    b"version https://git-lfs": "a pointer of Git LFS to the notebook: `git lfs pull` fetches that",
    b"<": "a web page or XML",
}


class Unreadable(Exception):
    """A file that is no notebook; the text says what was found."""


class Reading(NamedTuple):
    """A notebook as read, and what was odd in it: `("cell 3 had no outputs",)`; empty for one in the format."""

    notebook: "NotebookNode"
    repaired: tuple[str, ...] = ()


def load(path: Path) -> "NotebookNode":
    """Return the notebook in a file. Raises `Unreadable`, and OSError as `read_plain` does."""
    return parse(read_plain(path))


def parse(data: bytes) -> "NotebookNode":
    """Return the notebook in a file's bytes. Raises `Unreadable` as `read` does."""
    return read(data).notebook


def read(data: bytes) -> Reading:
    """Return the notebook in a file's bytes and what was odd: nothing is upgraded, no id added.

    A byte order mark, UTF-16 and UTF-32 are read too. Raises `Unreadable` for what is no notebook of format 4.
    """
    import nbformat  # slow to import, and many commands read only titles and tags, by `read_json`

    book, odd = read_json(data)
    try:
        return Reading(nbformat.v4.to_notebook_json(book), tuple(odd))
    except RecursionError:
        raise Unreadable("it is nested too deep to be a notebook") from None


def read_json(data: bytes) -> tuple[dict, list[str]]:
    """Return a notebook as the JSON that `read` makes it from, repaired, and what was odd. Raises `Unreadable`."""
    try:
        book = _json(data)
        _refuse_other_formats(book)
        return book, repair(book)
    except RecursionError:
        raise Unreadable("it is nested too deep to be a notebook") from None
    except MemoryError:
        raise Unreadable(f"it has {len(data):,} bytes, for which there is not memory enough") from None


def _json(data: bytes) -> object:
    text = _decoded(data)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(_why_no_json(text, error)) from None
    except ValueError as error:  # a number of more digits than Python converts
        raise Unreadable(f"it is not JSON that can be read ({error})") from None


def _decoded(data: bytes) -> str:
    if not data.strip(b" \t\r\n\0\xef\xbb\xbf\xff\xfe"):
        raise Unreadable(f"it is empty: {len(data):,} bytes, in which no notebook stands")
    for start, what in _OTHER_FILES.items():
        if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start) and not data.startswith(b"<<<<<<<"):
            raise Unreadable(f"it is no notebook but {what}")
    encoding = json.detect_encoding(data)  # by the byte order mark or the zeros; else UTF-8
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        expected = encoding.upper().removesuffix("-SIG")
        raise Unreadable(
            f"line {line} has the byte 0x{data[error.start]:02x}, which is no {expected}: "
            "likely an editor saved it in another encoding, so save it as UTF-8"
        ) from None


def _why_no_json(text: str, error: json.JSONDecodeError) -> str:
    if found := _CONFLICT.search(text):
        line = text.count("\n", 0, found.start()) + 1
        return f"line {line} is `{found[0].strip()[:40]}`, the mark of a merge in Git that stopped at a conflict"
    if error.pos >= len(text.rstrip()) or "Unterminated" in error.msg:
        return f"it is cut off: its JSON does not end (line {text.rstrip().count(chr(10)) + 1})"
    return f"it is not JSON, so it is no notebook (line {error.lineno}, column {error.colno}: {error.msg})"


def _refuse_other_formats(book: object) -> None:
    if not isinstance(book, dict) or not {"cells", "worksheets", "nbformat"} & set(book):
        raise Unreadable("it is JSON, but not a notebook")
    version = book.get("nbformat", 4)
    if str(version) not in ("4", "4.0"):
        newer = isinstance(version, (int, float)) and version > 4
        advice = "newer than the course reads" if newer else "older: open it in JupyterLab and save it"
        raise Unreadable(f"it is of format {str(version)[:20]}, {advice}; expected 4")
    if not isinstance(book.get("cells"), list):
        raise Unreadable("it is no notebook of format 4: it has no list of cells")
