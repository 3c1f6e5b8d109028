"""How much room text takes on a slide: counted in advance, for wide fonts, so that nothing runs over the edge.

Lengths are CSS pixels on a slide of 1280 × 720; the browser scales the whole slide to the screen.
"""

import math
import re
import textwrap
from collections.abc import Sequence

WIDTH, HEIGHT = 1280, 720
SIDE = 44  # left and right of everything
TOP, PART, TITLE, UNDER_TITLE, BOTTOM = 22, 32, 42, 12, 50  # the part's name, a line of the title, the foot's band
SLACK = 8  # fonts that stand higher in their lines than those tried
TEXT, TEXT_LINE = 25, 35  # font size and line height
GAP = 10  # between two blocks
CODE, CODE_LINE = 20, 26
SMALL, SMALL_LINE = 18, 24  # output with long lines
BOX = 20  # above and below the lines of code together
INNER = WIDTH - 2 * SIDE - 36  # a line of code: bar and padding taken off
# Letters to a line, by the widest of the usual fonts (DejaVu: 0.602 em a letter of code, some 0.58 em one of text).
COLUMNS, SMALL_COLUMNS = int(INNER / (0.61 * CODE)), int(INNER / (0.61 * SMALL))
TEXT_COLUMNS = int((WIDTH - 2 * SIDE - 30) / (0.585 * TEXT))
TITLE_COLUMNS = 52
HANGING = 4  # letters by which the rest of a long line is set in, beside the line's own indentation


def body(title: str) -> int:
    """Return the height that is left for blocks under a title."""
    return HEIGHT - TOP - PART - title_lines(title) * TITLE - UNDER_TITLE - BOTTOM - SLACK


def title_lines(title: str) -> int:
    """Return how many lines a title takes."""
    return max(1, len(textwrap.wrap(title, TITLE_COLUMNS)))


def rows(line: str, columns: int = COLUMNS) -> int:
    """Return how many rows a line of code or output takes at most once a browser has broken it at `columns`.

    It breaks between words, and within a word that is longer than a row.
    """
    if len(line) <= columns:
        return 1
    count, used, hanging = 1, indent(line), min(indent(line) + HANGING, columns // 2)
    for word, spaces in re.findall(r"(\S+)(\s*)", line):
        if used > hanging and used + len(word) > columns:
            count, used = count + 1, hanging
        more = math.ceil(max(0, used + len(word) - columns) / (0.8 * (columns - hanging)))
        count, used = count + more, columns if more else used + len(word) + len(spaces)
    return count


def indent(line: str) -> int:
    """Return by how many letters a line is set in, at most 40."""
    return min(40, len(line) - len(line.lstrip(" ")))


def code_height(lines: Sequence[str], scale: float = 1.0, *, small: bool = False) -> float:
    """Return the height of a box with these lines of code or output; infinite if `scale` breaks more of them."""
    columns, line = (SMALL_COLUMNS, SMALL_LINE) if small else (COLUMNS, CODE_LINE)
    usual = sum(rows(one, columns) for one in lines)
    if sum(rows(one, int(columns / scale)) for one in lines) > usual:
        return math.inf
    return scale * (BOX + line * usual)


def text_height(text: str, scale: float = 1.0, *, columns: int = TEXT_COLUMNS, padding: int = 0) -> float:
    """Return the height of a text, each line of which is a paragraph, with its padding."""
    lines = text.splitlines() or [""]
    return scale * (
        padding + TEXT_LINE * sum(max(1, len(textwrap.wrap(one, int(columns / scale)))) for one in lines)
    )


def shares(cells: Sequence[Sequence[str]]) -> list[float]:
    """Return the part of a table's width that each column gets: its longest word, and of the rest by its texts."""
    columns = [[row[column] for row in cells] for column in range(len(cells[0]))]
    words = [3 + max(len(word) for text in texts for word in [*text.split(), ""]) for texts in columns]
    more = [max(1, min(60, max(map(len, texts))) - word) for texts, word in zip(columns, words, strict=True)]
    rest = max(0, TEXT_COLUMNS - sum(words))
    wanted = [word + rest * one / sum(more) for word, one in zip(words, more, strict=True)]
    return [one / sum(wanted) for one in wanted]


def row_height(row: Sequence[str], parts: Sequence[float], scale: float = 1.0) -> float:
    """Return the height of one row of a table whose columns have these parts of the width."""
    columns = [max(4, int(0.95 * part * TEXT_COLUMNS / scale) - 3) for part in parts]
    found = zip(row, columns, strict=True)
    return scale * (14 + max(TEXT_LINE * max(1, len(textwrap.wrap(text, width))) for text, width in found))
