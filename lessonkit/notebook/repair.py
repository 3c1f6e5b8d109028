"""Repair the odd cells of a notebook, so that whatever was read can also be written, merged and executed.

Programs, scripts and merges leave cells that the format does not allow: without `outputs`, with null as an id, with
a number in the place of a text. Each is brought into the format here and named, and costs that cell at most.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lessonkit.notebook.file_kinds import CONFLICT

_TYPES = ("code", "markdown", "raw")
_CHECK = re.compile(r"\.check\(|\bask\(")
_NAMED = 6  # cells that a sentence names; of more it says how many they are


@dataclass
class Repairs:
    """What was odd in a notebook; cells by their positions, from 0.

    `odd`: what was found and done -> its cells, none where it is the notebook itself; `left`: what was found and
    stays as it is -> its cells; `lost`: cell without a text -> why; `conflicts`: cell in which a merge was not
    finished -> the line.
    """

    odd: dict[str, list[int]] = field(default_factory=dict)
    left: dict[str, list[int]] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    conflicts: dict[int, str] = field(default_factory=dict)

    def note(self, what: str, *cells: int) -> None:
        """Take down that something was found and done, in a cell or in the notebook itself."""
        self.odd.setdefault(what, []).extend(cells)

    def sentences(self, *, first: int) -> list[str]:
        """Return a sentence for each kind of thing that was repaired; `first`: the number of the first cell."""
        return [f"{in_words(cells, first=first)}: {what}." for what, cells in self.odd.items()]

    def remarks(self, *, first: int) -> list[str]:
        """Return the sentences, and one for each kind of thing that was seen and stays as it is."""
        return [f"{in_words(cells, first=first)}: {what}." for what, cells in (self.odd | self.left).items()]


def in_words(cells: Iterable[int], *, first: int = 0) -> str:
    """Return positions of cells as words: `Cell 3 (the 4th from the top)`, or with `first=1` `Cell 4`.

    Rows count cells from 0, and people from 1.
    """
    numbers = [str(cell + first) for cell in dict.fromkeys(cells)]
    if not numbers:
        return "The notebook"
    if len(numbers) == 1:
        return f"Cell {numbers[0]}" + ("" if first else f" ({_ordinal(int(numbers[0]) + 1)} from the top)")
    more = len(numbers) - _NAMED
    last = f"{more} more" if more > 0 else numbers.pop()
    return f"Cells {', '.join(numbers[:_NAMED])} and {last}" + ("" if first else " (counted from 0)")


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"the {number}{ending}"


def repair(book: dict, *, lossless: bool = True) -> Repairs:
    """Bring the JSON of a notebook of format 4 into the format, in place; return what was odd.

    No cell is left out, so that the numbers of the others stay. What stands in the place of a text stays as its
    JSON, or with `lossless=False` is left out: it is not executed as if somebody had written it. Line ends become
    `\\n`, and a text that is stored as a list of lines becomes one text: neither is odd.
    """
    done = Repairs()
    for what in _head(book):
        done.note(f"{what}; the cells are whole")
    ids: dict[str, list[int]] = {}
    for number, cell in enumerate(book["cells"]):
        if not isinstance(cell, dict):
            done.lost[number] = f"there is {kind_of_value(cell)} in its place"
            then = "and its JSON is a raw cell now" if lossless else "so it was left out"
            done.note(f"there is {kind_of_value(cell)} in the place of a cell, {then}", number)
            text = json.dumps(cell) if lossless else ""
            cell = book["cells"][number] = {"cell_type": "raw", "source": text, "metadata": {}}
        _source(cell, number, done, lossless)
        for what in _cell(cell):
            done.note(f"{what}; the text is whole", number)
        if "id" in cell:
            ids.setdefault(cell["id"], []).append(number)
        if begins := next((one for one in CONFLICT.finditer(cell["source"]) if one[0][0] == "<"), None):
            line = cell["source"].count("\n", 0, begins.start()) + 1
            why = f"line {line} is a conflict marker of git: a merge was not finished in this cell"
            done.conflicts[number] = why
            done.left.setdefault(why, []).append(number)
    for name, numbers in ids.items():
        if len(numbers) > 1:
            done.left[f"the same `id` ({name[:40]}) stands in each of them, and each is looked at"] = numbers
    return done


def _head(book: dict) -> Iterator[str]:
    yield from _metadata(book)
    for key in ("kernelspec", "language_info"):
        if not isinstance(book["metadata"].get(key, {}), dict):
            yield f"{_found(book['metadata'], key)} and was left out"
            del book["metadata"][key]
    book["nbformat"] = 4
    if type(book.get("nbformat_minor")) is not int:
        book["nbformat_minor"] = 5


def _metadata(part: dict) -> Iterator[str]:
    if not isinstance(part.get("metadata"), dict):
        yield f"{_found(part, 'metadata')} and was read as empty"
        part["metadata"] = {}


def _source(cell: dict, number: int, done: Repairs, lossless: bool) -> None:
    given = cell.get("source")
    text = _text(given)
    if text is None and isinstance(given, list):
        done.note(f"a line of the source is no text and was {'kept as JSON' if lossless else 'left out'}", number)
        lines = (json.dumps(line) if lossless and line is not None else "" for line in given)
        text = "".join(one if isinstance(one, str) else line for one, line in zip(given, lines, strict=True))
    elif text is None:
        done.lost[number] = f"its `source` is {kind_of_value(given)}"
        text = json.dumps(given) if lossless and given is not None else ""
        then = "its JSON stands in its place" if text else "the cell was read as empty"
        done.note(f"`source` is {kind_of_value(given)}, so {then}", number)
    cell["source"] = text.replace("\r\n", "\n")


def _cell(cell: dict) -> Iterator[str]:
    """Repair what a cell has beside its text; yield what was odd and what was done."""
    if cell.get("cell_type") not in _TYPES:
        plain = str(cell.get("cell_type")).strip().lower()
        executed = "outputs" in cell or "execution_count" in cell or _CHECK.search(cell["source"])
        other = "code" if executed else "markdown" if plain in ("heading", "text", "md") else "raw"
        given = repr(str(cell["cell_type"])[:40]) if "cell_type" in cell else "missing"
        cell["cell_type"] = plain if plain in _TYPES else other
        yield f"`cell_type` is {given} and was read as {cell['cell_type']}"
    yield from _metadata(cell)
    yield from _names(cell)
    if cell["cell_type"] == "code":
        yield from _results(cell)
    else:
        for key in [one for one in ("outputs", "execution_count") if one in cell]:
            yield f"`{key}` stands in a cell that is no code and was left out"
            del cell[key]
    pictures = cell.get("attachments", {})
    known = pictures if isinstance(pictures, dict) else {}
    fit = {name: one for name, one in known.items() if isinstance(one, dict) and _bundle(one)}
    if fit != pictures:
        found = "a pasted picture is damaged" if known else _found(cell, "attachments")
        yield f"{found} and was left out"
        cell["attachments"] = fit
        if not fit:
            del cell["attachments"]


def _names(cell: dict) -> Iterator[str]:
    if "id" in cell and not (isinstance(cell["id"], str) and cell["id"]):
        number = type(cell["id"]) is int
        yield f"{_found(cell, 'id')} and was {'read as a text' if number else 'left out'}"
        given = cell.pop("id")
        if number:
            cell["id"] = str(given)
    tags = cell["metadata"].get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag for tag in tags):
        inside = " with more than texts in it" if isinstance(tags, list) else ""
        yield f"{_found(cell['metadata'], 'tags')}{inside} and was read as far as it is texts"
        tags = tags if isinstance(tags, list) else [tags]
        cell["metadata"]["tags"] = [tag for tag in tags if isinstance(tag, str) and tag]


def _results(cell: dict) -> Iterator[str]:
    if not isinstance(cell.get("outputs"), list):
        yield f"{_found(cell, 'outputs')} and was read as empty"
        cell["outputs"] = []
    kept = [output for output in cell["outputs"] if _fits(output)]
    if len(kept) < len(cell["outputs"]):
        yield "an output is damaged and was left out"
        cell["outputs"] = kept
    count = cell.setdefault("execution_count", None)  # a missing one is not worth a word
    if count is not None and type(count) is not int:
        yield f"{_found(cell, 'execution_count')} and was left out"
        cell["execution_count"] = None


def _fits(output: object) -> bool:
    """Return whether an output can be kept; what it must have, and a kernel need not have sent, is added."""
    if not isinstance(output, dict):
        return False
    kind = output.get("output_type")
    if kind == "stream":
        output.setdefault("name", "stdout")
        return isinstance(output["name"], str) and _text(output.get("text")) is not None
    if kind == "error":
        texts = (output.setdefault(key, "") for key in ("ename", "evalue"))
        lines = output.setdefault("traceback", [])
        return all(isinstance(one, str) for one in texts) and isinstance(lines, list) and _text(lines) is not None
    if kind not in ("display_data", "execute_result"):
        return False
    if kind == "execute_result" and type(output.get("execution_count")) is not int:
        output["execution_count"] = None
    if not isinstance(output.get("metadata"), dict):
        output["metadata"] = {}
    return isinstance(output.get("data"), dict) and _bundle(output["data"])


def _bundle(data: dict) -> bool:
    """Return whether each entry is a text, or of a kind that holds JSON."""
    return all(_text(value) is not None or kind.endswith("json") for kind, value in data.items())


def _text(value: object) -> str | None:
    """Return a text, also one stored as a list of lines; None for anything else."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else None


def _found(table: dict, key: str) -> str:
    return f"`{key}` is {kind_of_value(table[key]) if key in table else 'missing'}"


def kind_of_value(value: object) -> str:
    """Return what a JSON value is, in words."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "a table of values")
