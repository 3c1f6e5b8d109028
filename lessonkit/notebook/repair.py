"""Repair the odd cells of a notebook, so that whatever was read can also be written, merged and executed.

Programs, scripts and merges leave cells that the format does not allow: without `outputs`, with null as an id, with
a number in the place of a text. Each is brought into the format here and named; a learner's text is never dropped.
"""

import json
from collections.abc import Iterator

_KINDS = ("code", "markdown", "raw")
_MISSING = object()


def repair(book: dict) -> list[str]:
    """Bring the JSON of a notebook of format 4 into the format, in place; return what was odd, one phrase each.

    Cells are counted from 1, those of Markdown too. Line ends become `\\n`, and a text that is stored as a list of
    lines becomes one text: neither is odd.
    Example: `["cell 3 had no outputs"]`.
    """
    odd = []
    if not isinstance(book.get("metadata"), dict):
        odd.append(f"the notebook had {_said(book.get('metadata', _MISSING))} metadata")
        book["metadata"] = {}
    for key in ("kernelspec", "language_info"):
        if not isinstance(book["metadata"].get(key, {}), dict):
            odd.append(f"the notebook had {_said(book['metadata'].pop(key))} {key}")
    book["nbformat"] = 4
    if type(book.get("nbformat_minor")) is not int:
        book["nbformat_minor"] = 5
    for number, cell in enumerate(book["cells"], start=1):
        if not isinstance(cell, dict):
            odd.append(f"cell {number} was {_short(cell)} and is a raw cell now")
            book["cells"][number - 1] = {"cell_type": "raw", "metadata": {}, "source": json.dumps(cell)}
        else:
            odd += [f"cell {number} had {what}" for what in _cell(cell)]
    return odd


def _cell(cell: dict) -> Iterator[str]:
    """Repair one cell in place; yield what was odd."""
    if cell.get("cell_type") not in _KINDS:
        yield f"{_said(cell.get('cell_type', _MISSING))} type"
        executed = "outputs" in cell or "execution_count" in cell
        cell["cell_type"] = "code" if executed else "markdown" if cell.get("cell_type") == "heading" else "raw"
    text = _text(cell.get("source"))
    if text is None:
        yield f"{_said(cell.get('source', _MISSING))} source"
        text = _text_of_odd(cell.get("source"))
    cell["source"] = text.replace("\r\n", "\n")
    if not isinstance(cell.get("metadata"), dict):
        yield f"{_said(cell.get('metadata', _MISSING))} metadata"
        cell["metadata"] = {}
    yield from _names(cell)
    if cell["cell_type"] == "code":
        yield from _results(cell)
    else:
        for key in ("outputs", "execution_count"):
            if key in cell:
                yield f"{key}, which only a code cell has"
                del cell[key]
    yield from _pictures(cell)


def _names(cell: dict) -> Iterator[str]:
    if "id" in cell and not (isinstance(cell["id"], str) and cell["id"]):
        given = cell.pop("id")
        yield f"{_said(given)} id"
        if type(given) is int:
            cell["id"] = str(given)
    tags = cell["metadata"].get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag for tag in tags):
        yield f"{_said(tags)} tags"
        tags = [tags] if isinstance(tags, str) else tags if isinstance(tags, list) else []
        cell["metadata"]["tags"] = [tag for tag in tags if isinstance(tag, str) and tag]


def _results(cell: dict) -> Iterator[str]:
    if not isinstance(cell.get("outputs"), list):
        yield f"{_said(cell.get('outputs', _MISSING))} outputs"
        cell["outputs"] = []
    kept = [output for output in cell["outputs"] if _fits(output)]
    if len(kept) < len(cell["outputs"]):
        yield f"{len(cell['outputs']) - len(kept)} of its outputs in no known form; they are left out"
        cell["outputs"] = kept
    count = cell.setdefault("execution_count", None)  # a missing one is not worth a word
    if count is not None and type(count) is not int:
        yield f"{_said(count)} execution_count"
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


def _pictures(cell: dict) -> Iterator[str]:
    pictures = cell.get("attachments", {})
    known = pictures if isinstance(pictures, dict) else {}
    fit = {name: one for name, one in known.items() if isinstance(one, dict) and _bundle(one)}
    if fit != pictures:
        yield f"{_said(pictures)} attachments"
        cell["attachments"] = fit
        if not fit:
            del cell["attachments"]


def _text(value: object) -> str | None:
    """Return a text, also one stored as a list of lines; None for anything else."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else None


def _text_of_odd(value: object) -> str:
    """Return what can be shown of a source that is no text: the texts in a list, else its JSON."""
    if isinstance(value, list):
        lines = (line if isinstance(line, str) else json.dumps(line) for line in value if line is not None)
        return "".join(lines)
    return "" if value is None else json.dumps(value)


def _said(value: object) -> str:
    """Return `no`, `null as` or `the number 7 as`, to stand before a part's name."""
    return "no" if value is _MISSING else f"{_short(value)} as"


def _short(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    kind = "the text" if isinstance(value, str) else "the number" if type(value) in (int, float) else "the value"
    return f"{kind} {json.dumps(value)[:40]}"
