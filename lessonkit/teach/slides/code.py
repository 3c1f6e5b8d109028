"""Code on slides: coloured by Pygments, cut where a reader would pause, long lines broken with a hanging indent."""

import html
import re
from collections.abc import Sequence
from functools import partial

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from lessonkit.teach.slides import sizes
from lessonkit.teach.slides.block import Block

MOST_ROWS = (sizes.body("a title that takes two lines " * 2) - sizes.GAP - sizes.BOX) // sizes.CODE_LINE
SPARED = MOST_ROWS * sizes.CODE_LINE // sizes.SMALL_LINE - MOST_ROWS  # rows more, in smaller letters
_BARE = HtmlFormatter(nowrap=True)


def code_blocks(source: str, language: str = "python") -> list[Block]:
    """Return a cell's code: one block, in smaller letters if need be, or several that begin a slide each."""
    lines = source.rstrip().splitlines()
    lexer = get_lexer_by_name(language, stripnl=False)
    coloured = highlight("\n".join(lines), lexer, _BARE).splitlines()
    if (
        sum(map(sizes.rows, lines))
        > MOST_ROWS
        >= sum(sizes.rows(one, sizes.SMALL_COLUMNS) for one in lines) - SPARED
    ):
        return [Block(box(lines, coloured, "code small"), partial(sizes.code_height, lines, small=True))]
    blocks = []
    for start, end in pieces(lines):
        while not lines[start].strip():  # a piece begins and ends with something to read
            start += 1
        while not lines[end - 1].strip():
            end -= 1
        markup = box(lines[start:end], coloured[start:end], "code")
        blocks.append(Block(markup, partial(sizes.code_height, lines[start:end]), apart=bool(blocks)))
    return blocks


def box(lines: Sequence[str], markup: Sequence[str], style: str) -> str:
    """Return lines in a box of class `style`, each with its markup; what is broken hangs under its own line."""
    shown = "".join(_line(text, inner) for text, inner in zip(lines, markup, strict=True))
    return f'<pre class="{style}"><code>{shown}</code></pre>'


def plain(lines: Sequence[str], style: str) -> str:
    """Return lines of text in a box of class `style`."""
    return box(lines, [html.escape(line) for line in lines], style)


def _line(text, markup):
    hanging = sizes.indent(text) + sizes.HANGING
    style = f' style="padding-left: {hanging}ch; text-indent: -{hanging}ch"' if len(text) > 40 else ""
    return f'<span class="line"{style}>{markup or " "}</span>'


def pieces(lines: Sequence[str], most: int = MOST_ROWS) -> list[tuple[int, int]]:
    """Return (start, end) of pieces of at most `most` rows, about equally long, cut at the best places near by."""
    heights = [sizes.rows(line) for line in lines]
    total = sum(heights)
    if total <= most:
        return [(0, len(lines))]
    number = -(-total // most)
    start, found = 0, []
    while sum(heights[start:]) > most:
        wanted = sum(heights[start:]) / max(1, number - len(found))
        end = _best_cut(lines, heights, start, wanted, most)
        found.append((start, end))
        start = end
    return [*found, (start, len(lines))]


def _best_cut(lines, heights, start, wanted, most):
    """Return the line before which to cut: of those within reach the best place near what is wanted."""
    reachable, height = [], 0
    for at in range(start + 1, len(lines)):
        height += heights[at - 1]
        if height > most:
            break
        if any(line.strip() for line in lines[start:at]):
            reachable.append((_badness(lines, at) + 0.12 * (height - wanted) ** 2, at))
    return min(reachable)[1] if reachable else start + 1  # a single line higher than a slide: sizes allow none


def _badness(lines, at):
    """How much a cut before line `at` disturbs: less at blank lines, comments and where a block has ended."""
    if not lines[at - 1].strip():
        return 0 if not lines[at].startswith(" ") else 2
    if re.match(r"\s*(#|@|def |class )", lines[at]):
        return 3
    return 4 + sizes.indent(lines[at]) / 2 + (6 if lines[at].lstrip()[:1] in ")]}" else 0)
