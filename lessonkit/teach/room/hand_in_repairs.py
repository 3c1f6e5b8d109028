"""Repair what is odd in single cells of a notebook, so that one odd cell costs that cell at most, and name it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lessonkit.teach.room.file_kinds import CONFLICT

_TYPES = ("code", "markdown", "raw")
_CHECK = re.compile(r"\.check\(|\bask\(")
_NAMED = 6  # cells that a sentence names; of more it says how many they are


@dataclass
class Repairs:
    """What was odd in a notebook's cells.

    `odd`: what was found and done -> positions of cells; `lost`: position of a cell without a text -> why;
    `conflicts`: position of a cell in which a merge was not finished -> the line.
    """

    odd: dict[str, list[int]] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    conflicts: dict[int, str] = field(default_factory=dict)

    def note(self, what: str, cell: int) -> None:
        """Take down that something was found in a cell."""
        self.odd.setdefault(what, []).append(cell)

    def sentences(self) -> list[str]:
        """Return a sentence for each kind of thing that was found, with the numbers of its cells."""
        return [f"{in_words(cells)}: {what}." for what, cells in self.odd.items()]


def in_words(cells: Iterable[int]) -> str:
    """Return positions of cells as words: `Cell 3 (the 4th from the top)`; rows count from 0, and people from 1."""
    cells = list(dict.fromkeys(cells))
    if len(cells) == 1:
        return f"Cell {cells[0]} ({_ordinal(cells[0] + 1)} from the top)"
    shown = [str(one) for one in cells[:_NAMED]]
    if len(cells) > _NAMED:
        return f"Cells {', '.join(shown)} and {len(cells) - _NAMED} more (counted from 0)"
    return f"Cells {', '.join(shown[:-1])} and {shown[-1]} (counted from 0)"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"the {number}{ending}"


def repaired(cells: list[object]) -> tuple[list[dict], Repairs]:
    """Return the cells of a notebook's JSON as the format has them, in as many, and what was done.

    No cell is left out, so that the numbers of the others stay; of a cell whose text is none, the text is lost.
    """
    done, found = Repairs(), []
    for number, cell in enumerate(cells):
        if not isinstance(cell, dict):
            done.lost[number] = f"there is {kind_of_value(cell)} in its place"
            done.note(f"there is {kind_of_value(cell)} in the place of a cell, so it was left out", number)
            cell = {"cell_type": "raw", "source": "", "metadata": {}}
        found.append(_cell(dict(cell), number, done))
    seen: dict[str, list[int]] = {}
    for number, cell in enumerate(found):
        if "id" in cell:
            seen.setdefault(cell["id"], []).append(number)
    for name, numbers in seen.items():
        if len(numbers) > 1:
            done.odd[f"the same `id` ({name[:40]}) stands in each of them, and each is looked at"] = numbers
    return found, done


def _cell(cell: dict, number: int, done: Repairs) -> dict:
    cell["source"] = _text(cell.get("source"), number, done)
    _type(cell, number, done)
    for key, kind in (("metadata", dict), ("attachments", dict)):
        if key in cell and not isinstance(cell[key], kind):
            done.note(f"`{key}` is {kind_of_value(cell[key])} and was read as empty; the text is whole", number)
            cell[key] = {}
    if "metadata" not in cell:
        done.note("`metadata` is missing and was read as empty; the text is whole", number)
        cell["metadata"] = {}
    if not all(isinstance(one, dict) for one in cell.get("attachments", {}).values()):
        done.note("a pasted picture is damaged and was left out; the text is whole", number)
        cell["attachments"] = {key: one for key, one in cell["attachments"].items() if isinstance(one, dict)}
    _tags(cell, number, done)
    if "id" in cell and not isinstance(cell["id"], str):
        done.note(f"`id` is {kind_of_value(cell['id'])} and was left out; the text is whole", number)
        del cell["id"]
    if cell["cell_type"] == "code":
        _outputs(cell, number, done)
    for where in CONFLICT.finditer(cell["source"]):
        line = cell["source"].count("\n", 0, where.start()) + 1
        if where[0].startswith("<") and number not in done.conflicts:
            done.conflicts[number] = (
                f"line {line} is a conflict marker of git: a merge was not finished in this cell"
            )
            done.note(done.conflicts[number], number)
    return cell


def _text(source: object, number: int, done: Repairs) -> str:
    if isinstance(source, str):
        return source.replace("\r\n", "\n")
    if isinstance(source, list) and source and all(isinstance(one, str) for one in source):
        return "".join(source).replace("\r\n", "\n")
    if source == []:
        return ""
    if isinstance(source, list):
        done.note("a line of the source is no text and was left out", number)
        return "".join(one for one in source if isinstance(one, str)).replace("\r\n", "\n")
    done.lost[number] = f"its `source` is {kind_of_value(source)}"
    done.note(f"`source` is {kind_of_value(source)}, so the cell was read as empty", number)
    return ""


def _type(cell: dict, number: int, done: Repairs) -> None:
    said = cell.get("cell_type")
    if said in _TYPES:
        return
    plain = str(said).strip().lower()
    if plain in _TYPES:
        kind = plain
    elif "outputs" in cell or "execution_count" in cell or _CHECK.search(cell["source"]):
        kind = "code"
    else:
        kind = "markdown" if plain in ("heading", "text", "md") else "raw"
    words = "`cell_type` is missing" if "cell_type" not in cell else f"`cell_type` is {str(said)[:40]!r}"
    done.note(f"{words} and was read as {kind}; the text is whole", number)
    cell["cell_type"] = kind


def _tags(cell: dict, number: int, done: Repairs) -> None:
    tags = cell["metadata"].get("tags", [])
    if isinstance(tags, list) and all(isinstance(one, str) for one in tags):
        return
    inside = " with more than texts in it" if isinstance(tags, list) else ""
    done.note(
        f"`tags` is {kind_of_value(tags)}{inside} and was read as far as it is texts; the text is whole", number
    )
    kept = [one for one in tags if isinstance(one, str)] if isinstance(tags, list) else []
    cell["metadata"] = cell["metadata"] | {"tags": kept}


def _outputs(cell: dict, number: int, done: Repairs) -> None:
    outputs = cell.get("outputs")
    if "outputs" not in cell:
        done.note("`outputs` is missing and was read as empty; the text is whole", number)
    elif not isinstance(outputs, list):
        done.note(f"`outputs` is {kind_of_value(outputs)} and was read as empty; the text is whole", number)
    elif not all(map(_is_output, outputs)):
        done.note("an output is damaged and was left out; the text is whole", number)
    kept = [one for one in outputs if _is_output(one)] if isinstance(outputs, list) else []
    cell["outputs"] = [one | {"text": _joined(one["text"])} if "text" in one else one for one in kept]


def _is_output(output: object) -> bool:
    if not isinstance(output, dict) or not isinstance(output.get("output_type"), str):
        return False
    if output["output_type"] == "stream" and not isinstance(_joined(output.get("text")), str):
        return False
    return isinstance(output.get("data", {}), dict)


def _joined(text: object) -> object:
    """Return the lines of a text as one, as nbformat reads them; what is no text stays as it is."""
    if isinstance(text, list) and all(isinstance(one, str) for one in text):
        return "".join(text)
    return text


def kind_of_value(value: object) -> str:
    """Return what a JSON value is, in words."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "a table of values")
