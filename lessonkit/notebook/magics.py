"""Read a cell with IPython's magics as the Python that it holds: `%%time` above an answer hides none of its names.

A magic that runs Python gives way to that Python, on the same line. Any other becomes a call of `get_ipython()`, as
IPython itself writes it, and a cell in another language holds no Python at all.
"""

import ast
import re
from collections.abc import Iterator

# Of a cell that is not Python by itself: IPython reads it once for each magic, in seconds of this order.
_MOST_MAGIC = 300_000  # its characters times those among them that may begin a magic
# Magics whose cell is text, a file, or a program of another language or process. Of any other, the cell is Python:
# those of packages (`%%memit`, `%%snakeviz`) time or watch it.
_NOT_PYTHON = {
    "!",
    "sx",
    "system",
    "bash",
    "sh",
    "script",
    "cmd",
    "powershell",
    "pwsh",
    "perl",
    "ruby",
    "node",
    "js",
}
_NOT_PYTHON |= {"javascript", "html", "HTML", "svg", "SVG", "latex", "markdown", "writefile", "file", "python"}
_NOT_PYTHON |= {
    "python2",
    "python3",
    "pypy",
    "cython",
    "sql",
    "bigquery",
    "R",
    "julia",
    "mermaid",
    "manim",
    "shell",
}
_RUNS_ITS_LINE = {"time", "prun", "memit", "mprun", "lprun", "snakeviz", "pyinstrument", "debug"}
_PYLAB = "import numpy; import numpy as np; import matplotlib.pyplot as plt; from matplotlib.pylab import " + "*"
_CELL_MAGIC = re.compile(r"%%([\w!]+)[ \t]*(.*)")


def plain_python(source: str) -> str:
    """Return a cell's source as Python, each statement on the line where it stood; raise SyntaxError or ValueError.

    >>> plain_python("%%time\\nx = 1")
    '\\nx = 1'
    >>> plain_python("%time y = f(x)")
    'y = f(x)'
    """
    try:
        ast.parse(source)
        return source
    except SyntaxError:
        if len(source) * sum(map(source.count, "!%?")) > _MOST_MAGIC:
            raise
    above, magic, body = _cell_magic(source)
    if magic:
        name, options = magic.groups()
        if name in _NOT_PYTHON:
            return above
        kept = re.findall(r"(?<!\S)[^\W\d]\w*", options) if name == "capture" else []
        first = f"{kept[0]} = get_ipython().run_cell_magic('capture', '', '')" if kept else ""
        return f"{above}{first}\n{plain_python(body)}"
    from IPython.core.inputtransformer2 import TransformerManager

    blank = len(source) - len(source.lstrip("\n"))  # lines that IPython leaves out
    try:
        text = "\n" * blank + TransformerManager().transform_cell(source)
    except RuntimeError as error:  # IPython's, for one of more than 500 magics; a RecursionError is one too
        raise SyntaxError(f"IPython cannot read it ({str(error)[:80]})") from None
    return _with_their_python(text, ast.parse(text))


def _cell_magic(source: str) -> tuple[str, re.Match | None, str]:
    """Return the empty lines above a cell's magic, the magic, and its body."""
    body = source.lstrip("\n")
    first, _, rest = body.partition("\n")
    return source[: len(source) - len(body)], _CELL_MAGIC.match(first), rest


def _with_their_python(text: str, tree: ast.Module) -> str:
    """Return the text with the Python of its line magics in the place of their calls."""
    lines = text.split("\n")
    found = [(node, held) for node in ast.walk(tree) for held in _held(node)]
    for node, held in sorted(found, key=lambda one: (-one[0].lineno, -one[0].col_offset)):
        if node.lineno != node.end_lineno:
            continue
        line = lines[node.lineno - 1].encode()
        lines[node.lineno - 1] = (line[: node.col_offset] + held.encode() + line[node.end_col_offset :]).decode()
    text = "\n".join(lines)
    ast.parse(text)
    return text


def _held(node: ast.AST) -> Iterator[str]:
    """Yield the Python that a call of a line magic holds, where it holds any."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="run_line_magic", value=ast.Call(func=ast.Name(id="get_ipython"))),
            args=[ast.Constant(value=str(name)), ast.Constant(value=str(line))],
        ):
            if name == "pylab":
                yield _PYLAB
            elif name in _RUNS_ITS_LINE and (held := _without_options(line)):
                yield held


def _without_options(line: str) -> str:
    """Return what a magic is to run, without options and their values before it; empty if that is not Python."""
    options = line.startswith("-")
    while line:
        if not line.startswith("-"):
            try:
                ast.parse(line)
                return line
            except SyntaxError:
                if not options:
                    return ""
        line = line.partition(" ")[2].lstrip()
    return ""
