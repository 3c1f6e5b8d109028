"""The part of a cell's code that a room can read from its last row: without what draws, and without asserts.

An assert says what comes out, and the title of a drawing often does, so both would answer the bet above the code.
"""

import ast
import difflib
import io
import re
import tokenize
from collections.abc import Iterable

MOST_LINES = 48  # of an extract; more is left to the notes, as nobody follows it on a wall
ALIKE = 0.55  # from here on a function counts as a solution: of all chapters' cells, no other one reaches it
_COLUMNS = 80  # a comment that makes a line longer than this is left out
_MAKES_AXES = {"subplots", "figure", "subplot_mosaic", "gca", "add_subplot", "add_axes", "twinx"}
_DRAWS = {
    "plot",
    "imshow",
    "semilogy",
    "semilogx",
    "loglog",
    "bar",
    "barh",
    "hist",
    "scatter",
    "axvline",
    "axhline",
}
_DRAWS |= {"axvspan", "axhspan", "set_title", "set_xlabel", "set_ylabel", "legend", "fill_between", "annotate"}
_DRAWS |= {"suptitle", "supxlabel", "supylabel", "errorbar", "matshow", "pcolormesh", "set_axis_off", "tick_params"}
_BLOCKS = ast.For | ast.While | ast.If | ast.With


def extract(source: str) -> str:
    """Return the lines of a cell that compute; all of them where the cell is not plain Python.

    >>> print(extract("x = f(2)\\nfig, ax = plt.subplots()\\nax.plot(x)\\nassert x == 4"))
    x = f(2)
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # magics, or on purpose
        return source.strip("\n")
    gone: dict[int, str] = {}
    _mark(tree.body, _drawn(tree), gone)
    lines = _without_long_comments(source)
    for number in sorted(gone):  # a comment right above what is gone speaks of it
        above = number - 1
        while above >= 1 and above not in gone and lines[above - 1].lstrip().startswith("#"):
            gone[above] = ""
            above -= 1
    kept = [
        gone.get(number, line) for number, line in enumerate(lines, start=1) if gone.get(number, line) or not line
    ]
    return re.sub(r"\n(?:[ \t]*\n){2,}", "\n\n", "\n".join(kept)).strip("\n")


def _without_long_comments(source: str) -> list[str]:
    """Return the lines, without those comments behind code that would be wrapped."""
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            code = lines[row - 1][:column].rstrip()
            lines[row - 1] = code if code and len(lines[row - 1]) > _COLUMNS else lines[row - 1]
    return lines


def _drawn(tree: ast.Module) -> set[str]:
    """Return the names that stand for figures and axes: what is made as such, and what is drawn on."""
    names = {"plt"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "attr", "") in _MAKES_AXES:
                names |= {
                    one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
                }
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DRAWS:
            on = node.func.value
            while isinstance(on, ast.Subscript):
                on = on.value
            names |= {on.id} if isinstance(on, ast.Name) else set()
    return names - {"_"}


def _mark(body: Iterable[ast.stmt], drawn: set[str], gone: dict[int, str]) -> bool:
    """Note the lines of statements that draw or assert; return whether none of `body` is left.

    `gone`: line -> what stands for it, "..." for a branch of which nothing is left, else nothing.
    """
    left = False
    for node in body:
        if isinstance(node, _BLOCKS):
            inside: dict[int, str] = {}
            parts = [part for part in (node.body, getattr(node, "orelse", [])) if part]
            empty = [part for part in parts if _mark(part, drawn, inside)]
            drop = len(empty) == len(parts) or (bool(inside) and _only_prepares(node, inside, drawn))
            if not drop:
                gone |= inside | {part[0].lineno: " " * part[0].col_offset + "..." for part in empty}
        elif isinstance(node, ast.FunctionDef):
            drop = node.name.startswith(("draw", "plot", "show")) and _mentions(node, drawn)
        else:
            drop = isinstance(node, ast.Assert) or (not isinstance(node, ast.ClassDef) and _mentions(node, drawn))
        if drop:
            gone |= dict.fromkeys(range(_start(node), node.end_lineno + 1), "")
        left |= not drop
    return not left


def _only_prepares(node, inside, drawn):
    """Return whether what is left of a block that draws are assignments, which only the drawing needed."""
    there = [one for one in ast.walk(node) if isinstance(one, ast.stmt) and one is not node]
    rest = [one for one in there if one.lineno not in inside and not isinstance(one, _BLOCKS)]
    prepares = all(isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name | ast.Tuple) for one in rest)
    return prepares and any(_mentions(one, drawn) for one in there)


def _mentions(node, names):
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def _start(node):
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def solves(source: str, ours: str) -> bool:
    """Return whether a cell holds a function or class that is much like the solution `ours` of an exercise.

    A cell that checks something is none: it shows a verdict.
    """
    if ".check(" in source:
        return False
    return any(
        difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE
        for one in _shapes(source)
        for other in _shapes(ours)
    )


def _shapes(source):
    """Return each definition of a text as the kinds of its nodes and the attributes it uses, names left out."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [
        [part for one in ast.walk(node) for part in (type(one).__name__, getattr(one, "attr", "")) if part]
        for node in found
    ]
