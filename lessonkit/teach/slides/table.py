"""A table of Markdown as blocks: columns of fixed width, long ones continued below their head."""

import html
from collections.abc import Sequence
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lessonkit.teach.slides import sizes
from lessonkit.teach.slides.block import Block

MOST_HEIGHT = sizes.body("a title that takes two lines " * 3)
_INLINE = MarkdownIt("commonmark", {"html": False})


def table_blocks(tokens: Sequence[Token]) -> list[Block]:
    """Return a table as one block, or as several of at most a slide's height that repeat its head."""
    head, *rows = _cells(tokens)
    parts = sizes.shares([head, *rows])
    first = sizes.row_height(head, parts)
    groups: list[list[list[str]]] = [[]]
    height = first
    for row in rows:
        more = sizes.row_height(row, parts)
        if groups[-1] and height + more > MOST_HEIGHT:
            groups.append([])
            height = first
        groups[-1].append(row)
        height += more
    return [
        Block(_table(head, group, parts), partial(_height, [head, *group], parts), apart=number > 0)
        for number, group in enumerate(groups)
    ]


def shortened(tokens: Sequence[Token], most: float) -> list[Block]:
    """Return the first rows of a table, at most `most` pixels high, and a line that says how many are left out."""
    head, *rows = _cells(tokens)
    parts = sizes.shares([head, *rows])
    kept: list[list[str]] = []
    while len(kept) < len(rows) and _height([head, *kept, rows[len(kept)]], parts, 1.0) <= most - sizes.TEXT_LINE:
        kept.append(rows[len(kept)])
    blocks = [Block(_table(head, kept, parts), partial(_height, [head, *kept], parts))]
    if len(kept) < len(rows):
        line = f"… {len(rows) - len(kept)} more rows"
        blocks.append(Block(f'<p class="elsewhere">{line}</p>', partial(sizes.text_height, line)))
    return blocks


def _height(rows, parts, scale):
    return sum(sizes.row_height(row, parts, scale) for row in rows)


def _cells(tokens):
    """Return the rows of a table, each a list of its cells' Markdown."""
    rows = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
    return rows


def _table(head, rows, parts):
    columns = "".join(f'<col style="width: {part:.1%}">' for part in parts)
    top = "".join(f'<th scope="col">{_inline(text)}</th>' if text else "<td></td>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{_inline(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><colgroup>{columns}</colgroup><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _inline(text):
    return _INLINE.renderInline(text) if text else html.escape(text)
