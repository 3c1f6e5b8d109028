"""An answer typed into the gap of an exercise's stub, put into the gap of the stub's next version."""

import ast
import re

GAP = re.compile(r"^[ \t]*\.\.\.[ \t]*# your code here[ \t]*$", re.MULTILINE)


def refill(base: str, mine: str, new: str) -> str | None:
    """Return the stub `new` with what `mine` holds in the place of the gap of the stub `base`.

    None where that cannot be done, or is not safe: the learner changed more than the gap, there is not one gap in
    each, or the course changed more than words (docstrings, comments), so that the old answer may not fit.
    """
    gaps = [list(GAP.finditer(source)) for source in (base, new)]
    if any(len(found) != 1 for found in gaps) or _code(base) is None or _code(base) != _code(new):
        return None
    (old,), (place,) = gaps
    before, after = base[: old.start()], base[old.end() :]
    if len(mine) < len(before) + len(after) or not (mine.startswith(before) and mine.endswith(after)):
        return None
    typed = mine[len(before) : len(mine) - len(after)]
    if after.strip() and after.strip() in typed:  # the stub is in the cell twice
        return None
    return new[: place.start()] + typed + new[place.end() :]


def _code(source: str) -> str | None:
    """Return what a source does, without its words; None for what is no Python, a cell's magic for one."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # a null byte is a ValueError until Python 3.11.3
        return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.dump(tree)
