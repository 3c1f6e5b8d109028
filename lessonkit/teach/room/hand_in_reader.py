"""Read a notebook that somebody else has saved: whatever can be read with certainty is, and the rest is named."""

import json
import re
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode

from lessonkit.teach.room.decoding import decoded
from lessonkit.teach.room.file_kinds import kind_of
from lessonkit.teach.room.hand_in_repairs import kind_of_value, repaired


class NoNotebook(Exception):
    """A file that is no notebook; the text says what it is, where, and what to do."""


@dataclass(frozen=True)
class Read:
    """A notebook of format 4. `remarks`: a sentence for each thing that had to be assumed or repaired.

    `lost` and `conflicts`: positions of cells whose text is none, or in which a merge was not finished -> why.
    """

    notebook: NotebookNode
    remarks: tuple[str, ...]
    lost: dict[int, str]
    conflicts: dict[int, str]


def read_notebook(data: bytes) -> Read:
    """Return the notebook in the bytes of a file, of any encoding and of the formats 1 to 4.

    Raises `NoNotebook`, whatever the bytes are.
    """
    try:
        return _read(data)
    except (RecursionError, OverflowError):
        raise NoNotebook("it is nested too deep to be a notebook") from None
    except MemoryError:
        raise NoNotebook(f"it has {len(data):,} bytes, for which there is not memory enough") from None


def _read(data: bytes) -> Read:
    text, remark = decoded(data)
    remarks = [remark] if remark else []
    value = _parsed(data, text, remarks)
    if not isinstance(value, dict):
        raise NoNotebook(f"it is JSON, but not a notebook: it is {kind_of_value(value)} and holds no cells")
    value = _of_format_4(value, remarks)
    cells = value.get("cells")
    if not isinstance(cells, list):
        shown = ", ".join(map(str, list(value)[:5]))[:120] or "nothing"
        raise NoNotebook(f"it is JSON, but not a notebook: it has no list of cells (it holds {shown})")
    value["cells"], repairs = repaired(cells)
    if not isinstance(value.get("metadata"), dict):
        remarks.append("The notebook has no metadata of its own, read as empty; its cells are whole.")
        value["metadata"] = {}
    if not isinstance(value.get("nbformat_minor"), int):
        value["nbformat_minor"] = 0  # which nothing here reads
    remarks += repairs.sentences()
    return Read(nbformat.from_dict(value), tuple(remarks), repairs.lost, repairs.conflicts)


def _parsed(data: bytes, text: str, remarks: list[str]) -> object:
    stripped = text.rstrip("\0 \t\r\n\ufeff\x1a")  # what a broken copy or an old editor leaves behind the end
    try:
        return json.loads(stripped)
    except json.JSONDecodeError as strict:
        try:
            value = json.loads(stripped, strict=False)
        except json.JSONDecodeError:
            raise NoNotebook(f"it is {kind_of(data, text)}") from None
        remarks.append(f"Line {strict.lineno} holds a bare control character in a text; it was read all the same.")
        return value


def _of_format_4(value: dict, remarks: list[str]) -> dict:
    said = value.get("nbformat")
    if said == 4 and not isinstance(said, bool):
        return value
    if said in (1, 2, 3) and not isinstance(said, bool):
        try:
            new = nbformat.convert(nbformat.from_dict({"nbformat_minor": 0, "metadata": {}, **value}), 4)
        except Exception as error:  # noqa: BLE001 - nbformat's converters raise whatever an odd value makes them
            raise NoNotebook(
                f"it is a notebook of the old format {said} that cannot be converted ({type(error).__name__}); "
                "open it in Jupyter, save it and hand it in again"
            ) from None
        remarks.append(f"The notebook is of the old format {said}; it was converted to format 4 to be read.")
        new = json.loads(json.dumps(new))
        for cell in new.get("cells", []):  # the converter draws ids that nobody has given
            cell.pop("id", None)
        return new
    if isinstance(value.get("cells"), list) and (said is None or re.fullmatch(r"4(\.0)?", str(said).strip())):
        words = "names no format" if said is None else f"names its format as {said!r}"
        remarks.append(f"The notebook {words}; it was read as format 4.")
        return value | {"nbformat": 4}
    if isinstance(value.get("cells"), list):
        raise NoNotebook(f"it is a notebook of format {str(said)[:20]}; format 4 can be read, so save it as that")
    shown = ", ".join(map(str, list(value)[:5]))[:120] or "nothing"
    raise NoNotebook(f"it is JSON, but not a notebook: it has no list of cells (it holds {shown})")
