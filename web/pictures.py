"""A cell's pictures: their alternative texts, and which of them may be inverted for the dark theme."""

import ast
import base64
import io
import re
from collections.abc import Iterator

import nbformat
from PIL import Image

TITLES = {"title", "set_title", "suptitle"}
AXES = {"xlabel": "x", "set_xlabel": "x", "ylabel": "y", "set_ylabel": "y"}
MOST = 300
# Calls that draw grey values or a scale of colours: inverted, they would say something else.
DRAWS_VALUES = {"imshow", "matshow", "pcolor", "pcolormesh", "contourf", "hexbin", "hist2d", "spy", "show_images"}
BRIGHTNESS = re.compile(r"\b(?:black|white|gr[ea]y|dark(?:er)?|pale|bright(?:er)?)\b", re.IGNORECASE)
LEAST_WHITE = 0.75  # of a plot's pixels: curves, bars and points on white paper


def alternative(source: str, heading: str) -> str:
    """Return what a cell's picture shows: titles, axes and series as far as the code spells them out.

    `heading`: the section that the cell stands in, which is all that is said of a picture without any words.
    """
    titles, axes, series = [], {}, []
    for call in _calls(source):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        given = {keyword.arg: _words(keyword.value) for keyword in call.keywords}
        first = _words(call.args[0]) if call.args else ""
        if name in TITLES:
            titles.append(first)
        elif name in AXES:
            axes.setdefault(AXES[name], first)
        elif name == "set":
            titles.append(given.get("title", ""))
            axes |= {axis[0]: given[axis] for axis in ("xlabel", "ylabel") if given.get(axis)}
        series.append(given.get("label", ""))
        titles.append(given.get("title", "") if name != "set" else "")
    parts = [", ".join(_once(titles)), *(f"{axis}: {words}" for axis, words in axes.items() if words)]
    parts += [f"series: {', '.join(_once(series))}"] if any(series) else []
    said = "; ".join(filter(None, parts))
    return (f"{heading}: {said}" if said else f"Picture to “{heading}”")[:MOST]


def suits_inversion(cell: nbformat.NotebookNode, around: str) -> bool:
    """Return whether a cell's pictures are plots on white paper, which a dark page may show in white on black.

    `around`: the texts before and after the cell. If they or the plot itself speak of something black, white or
    grey, the plot stays as it is, because inverted it would contradict them.
    """
    functions = (call.func for call in _calls(cell.source))
    if any(getattr(one, "attr", getattr(one, "id", "")) in DRAWS_VALUES for one in functions):
        return False
    if BRIGHTNESS.search(f"{around}\n{alternative(cell.source, '')}"):
        return False
    kept = [output.data["image/png"] for output in cell.outputs if "image/png" in output.get("data", {})]
    return bool(kept) and all(white(base64.b64decode(one)) >= LEAST_WHITE for one in kept)


def white(picture: bytes) -> float:
    """Return the share of a picture's pixels that are white or nearly so."""
    with Image.open(io.BytesIO(picture)) as opened:
        seen = opened.convert("RGBA")
    paper = Image.new("RGBA", seen.size, "white")
    counts = Image.alpha_composite(paper, seen).convert("L").histogram()
    return sum(counts[245:]) / sum(counts)


def _calls(source: str) -> Iterator[ast.Call]:
    lines = (line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Call):
            yield node


def _words(node: ast.expr) -> str:
    """Return a string's text; what an f-string fills in is left out as an ellipsis."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " ".join(node.value.split())
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return " ".join("".join(parts).split())
    return ""


def _once(words: list[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word.strip("… ")))
