"""The asserts of a chapter that stand in a file of their own, so that no bookkeeping stands in its cells.

Next to `05_training.ipynb`, `asserts/05_training.py` has a part for each cell after which something must hold:

    # after 91afc155
    assert 0.9 < accuracy <= 1

The runner executes each part in the kernel after the cell with that id. A learner's copy has no such file.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.notebook.cells import code_cells, wants_answer
from lessonkit.system.plain_file import read_plain

FOLDER = "asserts"
_PART = re.compile(r"^# after (\S+)[ \t]*$", re.MULTILINE)


class Malformed(Exception):
    """A file of asserts that cannot be read; the text says where and why."""


def beside(notebook: Path) -> Path:
    """Return where the asserts of a notebook lie.

    >>> beside(Path("notebooks/05_training.ipynb")).as_posix()
    'notebooks/asserts/05_training.py'
    """
    return notebook.parent / FOLDER / f"{notebook.stem}.py"


def read(notebook: Path) -> dict[str, str]:
    """Return the asserts of a notebook: cell id -> code; empty where no file lies beside it.

    Raises `Malformed` for a part that holds anything but asserts, and for two parts with one id.
    """
    path = beside(notebook)
    try:
        text = read_plain(path).decode()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"{FOLDER}/{path.name} cannot be read: {error}") from error
    head, *pieces = _PART.split(text)
    parts: dict[str, str] = {}
    for name, code in [("", head), *zip(pieces[::2], pieces[1::2], strict=True)]:
        where = f"{FOLDER}/{path.name}, " + (f"after {name}" if name else "above the first `# after ID`")
        if name in parts:
            raise Malformed(f"{where}: there are two such parts; write all asserts of a cell into one")
        parts[name] = _only_asserts(code, where, empty=not name)
    del parts[""]
    return parts


def _only_asserts(code: str, where: str, *, empty: bool) -> str:
    try:
        body = ast.parse(code).body
    except SyntaxError as error:
        raise Malformed(f"{where}: not Python ({error.msg}, line {error.lineno} of the part)") from error
    if not empty and not body:
        raise Malformed(f"{where}: no assert")
    other = [node for node in body if empty or not isinstance(node, ast.Assert)]
    if other:
        what = ast.unparse(other[0]).splitlines()[0]
        raise Malformed(f"{where}: `{what}` does not belong here; a part holds asserts and nothing else")
    return code.strip()


def statements(code: str) -> Iterator[str]:
    """Yield the asserts of a part one by one, as they are written.

    >>> [*statements("assert x < 1, x  # small\\nassert y")]
    ['assert x < 1, x', 'assert y']
    """
    for node in ast.parse(code).body:
        yield ast.get_source_segment(code, node)


def astray(nb: NotebookNode, parts: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each part of `read` that would never run, or that would judge a learner's answer."""
    cells = {cell.get("id"): cell for cell in code_cells(nb)}
    for name in parts:
        if name not in cells:
            yield f"no code cell has the id {name}"
        elif wants_answer(cells[name]):
            yield f"the cell {name} asks for an answer, so an assert would fail until it is solved"
