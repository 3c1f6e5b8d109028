"""Read headings from Markdown cells, and write a title as Markdown or as plain text.

Cells are plain dictionaries or nbformat's nodes: nbformat is not imported, because a check must not wait for it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_MINUTES = re.compile(r"\s*\((?=[^()]*(?:\bmin\b|★))[^()]*\)$")  # "(2 min, ★)"
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()]*\)")
_CODE = re.compile(r"(`+)(.+?)\1")


class Heading(NamedTuple):
    """One heading: its level, 1 to 6, and its text, which may hold code and emphasis but no link."""

    level: int
    text: str


def text_of(cell: Mapping) -> str:
    """Return the text of a cell, which a file may keep as one string or as a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def headings(markdown: str) -> Iterator[Heading]:
    """Yield the headings of a text in their order; a `#` in a fenced block of code begins none.

    Example: `[*headings("## One\\n### Two (5 min, ★)")]` has the texts `One` and `Two (5 min, ★)`.
    """
    fence = ""
    for line in markdown.splitlines():
        if marks := _FENCE.match(line):
            if not fence:
                fence = marks[1]
            elif marks[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif not fence and (found := _HEADING.match(line)) and found[2]:
            yield Heading(len(found[1]), _LINK.sub(r"\1", found[2]))


def without_minutes(title: str) -> str:
    """Return the title of an exercise without what follows it: `Windows` of `Windows (8 min, ★★★)`."""
    return _MINUTES.sub("", title)


def plain(title: str) -> str:
    """Return a title as a terminal shows it, without the marks for code and emphasis."""
    parts = re.split(r"(`+.+?`+)", title)
    return "".join(
        _CODE.sub(r"\2", part) if part.startswith("`") else re.sub(r"(\*{1,2})(\S(?:.*?\S)?)\1", r"\2", part)
        for part in parts
    )


def in_a_link(title: str) -> str:
    """Return a title as the text of a Markdown link: a bracket in it, or `<`, opens nothing."""
    parts = re.split(r"(`+.+?`+)", title)
    return "".join(part if part.startswith("`") else re.sub(r"([\[\]<])", r"\\\1", part) for part in parts)
