"""Read a notebook's file, for every command alike: as it is where it fits the format, repaired where it does not.

A file that cannot be read is called what it is (empty, a web page, cut off, with the marks of a merge), because
"not JSON" helps nobody. What is written back (`load`, `read`) is refused where its text would have to be guessed;
what somebody hands in (`read_hand_in`) is read as far as is certain, and remarks say what is not.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lessonkit.notebook.decoding import decoded
from lessonkit.notebook.file_kinds import kind_of
from lessonkit.notebook.repair import Repairs, kind_of_value, repair
from lessonkit.system.plain_file import read_plain

if TYPE_CHECKING:
    from nbformat import NotebookNode


class Unreadable(Exception):
    """A file that is no notebook. `found`: what it is, and where; `fix`: how to get at the notebook, or empty."""

    def __init__(self, found: str, fix: str = ""):
        super().__init__(f"{found}; {fix}" if fix else found)
        self.found, self.fix = found, fix


class Reading(NamedTuple):
    """A notebook as read, and a sentence for each thing that was repaired; none for one in the format.

    Example of `repaired`: `("Cell 3: `outputs` is missing and was read as empty; the text is whole.",)`.
    """

    notebook: "NotebookNode"
    repaired: tuple[str, ...] = ()


class HandIn(NamedTuple):
    """A notebook that somebody else saved. `remarks`: a sentence for each thing that was assumed or repaired.

    `lost` and `conflicts`: positions of cells, from 0, whose text is none, or in which a merge was not finished ->
    why.
    """

    notebook: "NotebookNode"
    remarks: tuple[str, ...]
    lost: dict[int, str]
    conflicts: dict[int, str]


class _Opened(NamedTuple):
    book: dict
    encoding: str  # a remark on it
    changed: list[str]  # a sentence for each thing that was odd in the file or its head
    repairs: Repairs


def load(path: Path) -> "NotebookNode":
    """Return the notebook in a file. Raises `Unreadable`, and OSError as `read_plain` does."""
    return parse(read_plain(path))


def parse(data: bytes) -> "NotebookNode":
    """Return the notebook in a file's bytes. Raises `Unreadable` as `read` does."""
    return read(data).notebook


def read(data: bytes) -> Reading:
    """Return the notebook in a file's bytes and what was odd, cells counted from 1: nothing is upgraded or guessed.

    UTF-8, UTF-16 and UTF-32 are read. Raises `Unreadable` for what is no notebook of format 4.
    """
    book, odd = read_json(data)
    return Reading(_notebook(book), tuple(odd))


def read_json(data: bytes) -> tuple[dict, list[str]]:
    """Return a notebook as the JSON that `read` makes it from, repaired, and what was odd. Raises `Unreadable`."""
    opened = _opened(data, own=True)
    return opened.book, [*opened.changed, *opened.repairs.sentences(first=1)]


def read_hand_in(data: bytes) -> HandIn:
    """Return the notebook in the bytes of a file, of any encoding and of the formats 1 to 4.

    A cell without a text is empty. Raises `Unreadable`, whatever the bytes are.
    """
    book, encoding, changed, repairs = _opened(data, own=False)
    remarks = [*filter(None, [encoding]), *changed, *repairs.remarks(first=0)]
    return HandIn(_notebook(book), tuple(remarks), repairs.lost, repairs.conflicts)


def _notebook(book: dict) -> "NotebookNode":
    import nbformat  # slow to import, and many commands read only titles and tags, by `read_json`

    try:
        return nbformat.v4.to_notebook_json(book)
    except RecursionError:
        raise Unreadable("it is nested too deep to be a notebook") from None


def _opened(data: bytes, *, own: bool) -> _Opened:
    try:
        text, remark, guessed = decoded(data)
        value, changed = _parsed(data, text)
        if own and guessed:
            raise Unreadable(f"{guessed}: likely an editor saved it in another encoding", "save it as UTF-8")
        if not isinstance(value, dict):
            raise Unreadable(f"it is JSON, but not a notebook: it is {kind_of_value(value)} and holds no cells")
        book, more = _of_format_4(value, own=own)
        return _Opened(book, remark, changed + more, repair(book, lossless=own))
    except (RecursionError, OverflowError):
        raise Unreadable("it is nested too deep to be a notebook") from None
    except MemoryError:
        raise Unreadable(f"it has {len(data):,} bytes, for which there is not memory enough") from None


def _parsed(data: bytes, text: str) -> tuple[object, list[str]]:
    """Return the JSON value, and a sentence where a text in it has what JSON does not allow."""
    stripped = text.rstrip("\0 \t\r\n\ufeff\x1a")  # what a broken copy or an old editor leaves behind the end
    try:
        return json.loads(stripped), []
    except ValueError as strict:
        try:
            value = json.loads(stripped, strict=False)
        except ValueError:
            kind = kind_of(data, text)
            raise Unreadable(f"it is {kind.found}", kind.fix) from None
        return value, [f"Line {strict.lineno} holds a bare control character in a text; it was read all the same."]


def _of_format_4(value: dict, *, own: bool) -> tuple[dict, list[str]]:
    """Return the JSON of a notebook of format 4, and a sentence where it is or names another one."""
    said = value.get("nbformat")
    version = said if type(said) in (int, float) else None
    changed = []
    if version in (1, 2, 3):
        if own:
            raise Unreadable(
                f"it is a notebook of format {said}, older than the course reads",
                "open it in JupyterLab and save it",
            )
        value, version = _upgraded(value), 4
        changed = [f"The notebook is of the old format {said}; it was converted to format 4 to be read."]
    if not isinstance(value.get("cells"), list):
        shown = ", ".join(map(str, list(value)[:5]))[:120] or "nothing"
        raise Unreadable(f"it is JSON, but not a notebook: it has no list of cells (it holds {shown})")
    if version == 4:
        return value, changed
    if said is None or re.fullmatch(r"4(\.0)?", str(said).strip()):
        words = "names no format" if said is None else f"names its format as {said!r}"
        return value, [f"The notebook {words}; it was read as format 4."]
    newer = ", newer than the course reads" if version is not None and version > 4 else ""
    raise Unreadable(f"it is a notebook of format {str(said)[:20]}{newer}", "save it as format 4")


def _upgraded(value: dict) -> dict:
    import nbformat

    try:
        new = nbformat.convert(nbformat.from_dict({"nbformat_minor": 0, "metadata": {}, **value}), 4)
    except Exception as error:  # noqa: BLE001 - nbformat's converters raise whatever an odd value makes them
        raise Unreadable(
            f"it is a notebook of the old format {value['nbformat']} that cannot be converted "
            f"({type(error).__name__})",
            "open it in JupyterLab and save it",
        ) from None
    new = json.loads(json.dumps(new))
    for cell in new.get("cells", []):  # the converter draws ids that nobody has given
        cell.pop("id", None)
    return new
