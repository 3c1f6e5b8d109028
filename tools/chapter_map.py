"""Draw docs/chapters.svg, the map in README: which builds on which, minutes (core / all), accelerator, data.

`python tools/chapter_map.py` reads all of it from the notebooks: the minutes from the title cell, the rest from
the metadata key `course`. An arrow that follows from two others (01 → 02 → 04) is left out.
"""

import argparse
import sys
from html import escape
from typing import NamedTuple

import nbformat

from course_utils import PROJECT
from lessonkit.notebook import catalog

MAP = PROJECT / "docs" / "chapters.svg"
WIDE, HIGH, GAP, LANE, EDGE = 148, 74, 46, 34, 16  # of a box, of the room beside it, of the picture's edge
CALLED = {
    "mnist": "MNIST",
    "fashion_mnist": "Fashion-MNIST",
    "hymenoptera": "ants and bees",
    "free_spoken_digits": "spoken digits",
}
STYLE = "font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
INK, PALE, LINE, MARK = "#1c2530", "#5b6673", "#8b97a5", "#b3560a"


class Chapter(NamedTuple):
    """What the map says of one chapter."""

    number: str
    slug: str
    minutes: str
    builds_on: tuple[str, ...]
    data: tuple[str, ...]
    accelerator: str


def shown(core, whole):
    """The minutes of a chapter as the map, README's table and the site have them: `60 / 105`, or one if equal."""
    return f"{core} / {whole}" if core < whole else str(whole)


def chapters(folder=catalog.NOTEBOOKS):
    """Every chapter, in order, from its own file."""
    found = []
    for chapter in catalog.find(folder):
        book = nbformat.read(chapter.path, 4)
        about = book.metadata["course"]
        minutes = shown(*catalog.minutes(book.cells[0].source))
        builds_on, data = tuple(about["builds_on"]), tuple(about["data"])
        found.append(Chapter(f"{chapter.number:02d}", chapter.slug, minutes, builds_on, data, about["accelerator"]))
    return found


def needed(chapter, by_number):
    """Numbers of the chapters that this one builds on, directly or by way of others."""
    direct = set(chapter.builds_on)
    return direct.union(*(needed(by_number[number], by_number) for number in direct)) if direct else set()


def arrows(found):
    """Pairs (from, to), without those that others already lead along."""
    by_number = {chapter.number: chapter for chapter in found}
    for chapter in found:
        for number in chapter.builds_on:
            others = set(chapter.builds_on) - {number}
            if not any(number in needed(by_number[other], by_number) for other in others):
                yield number, chapter.number


def layout(found):
    """{number: (column, lane)}: a chapter stands one column behind the last one it builds on."""
    column, lanes, places = {}, {}, {}
    for chapter in found:
        column[chapter.number] = max((column[number] + 1 for number in chapter.builds_on), default=0)
        lane = lanes.get(column[chapter.number], 0)
        lanes[column[chapter.number]] = lane + 1
        places[chapter.number] = (column[chapter.number], lane)
    return places


def box(chapter, x, y):
    """One chapter as SVG: its name, the minutes, its data, and whether a GPU shows more."""
    lines = [
        (f"{chapter.number} {chapter.slug}", INK, "15", "600"),
        (f"{chapter.minutes} minutes", PALE, "12", "400"),
        (", ".join(CALLED.get(name, name) for name in chapter.data) or "no data set", PALE, "11", "400"),
    ]
    if chapter.accelerator != "not needed":
        lines[2] = (f"{lines[2][0]}; a GPU {chapter.accelerator}", MARK, "11", "400")
    yield f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="8" fill="#ffffff" stroke="{LINE}"/>'
    for row, (words, color, size, weight) in enumerate(lines):
        spread = f' textLength="{WIDE - 16}" lengthAdjust="spacingAndGlyphs"' if len(words) > 22 else ""
        place = f'x="{x + 8}" y="{y + 22 + 20 * row}" font-size="{size}" font-weight="{weight}" fill="{color}"'
        yield f"<text {place}{spread}>{escape(words)}</text>"


def draw(found):
    """The whole picture as SVG text."""
    places = layout(found)
    columns, lanes = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    turn = -(-columns // 2)  # the second half goes below the first, so that the words stay legible in a page
    depth = lanes * (HIGH + LANE)
    size = (2 * EDGE + turn * (WIDE + GAP) - GAP, 2 * EDGE + 2 * depth - LANE)

    def corner(number):
        column, lane = places[number]
        return EDGE + column % turn * (WIDE + GAP), EDGE + column // turn * depth + lane * (HIGH + LANE)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" style="{STYLE}" role="img">',
        "<title>The chapters, and which builds on which</title>",
        f'<rect width="{size[0]}" height="{size[1]}" rx="12" fill="#f4f6f8"/>',
        f'<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker>',
    ]
    for start, end in arrows(found):
        (x, y), (to_x, to_y) = corner(start), corner(end)
        half, below = HIGH // 2, EDGE + depth - LANE // 2
        if places[start][0] // turn < places[end][0] // turn:  # into the second half: down, back, in from above
            path = f"M{x + WIDE // 2} {y + HIGH}V{below}H{to_x + WIDE // 2}V{to_y - 2}"
            if places[end][1]:  # a box stands above it: in from the side
                path = f"M{x + WIDE // 2} {y + HIGH}V{below}H{to_x - 9}V{to_y + half}H{to_x - 2}"
        elif places[end][0] - places[start][0] > 1:  # round the boxes between
            under = y + HIGH + LANE // 2
            path = f"M{x + WIDE} {y + half}h{GAP // 4}V{under}H{to_x - GAP // 2}V{to_y + half}H{to_x - 2}"
        else:
            out, into = (x + WIDE, y + half), (to_x - 2, to_y + half)
            bend = (out[0] + into[0]) // 2
            path = f"M{out[0]} {out[1]}C{bend} {out[1]} {bend} {into[1]} {into[0]} {into[1]}"
        parts.append(f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.5" marker-end="url(#tip)"/>')
    for chapter in found:
        parts += box(chapter, *corner(chapter.number))
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    MAP.write_text(draw(chapters()), encoding="utf-8")
    sys.exit(0)
