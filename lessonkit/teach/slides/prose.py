"""Text of a notebook: cut at its headings, and set as HTML."""

import re
from dataclasses import dataclass, field, replace
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lessonkit.teach.slides import sizes
from lessonkit.teach.slides.block import Block
from lessonkit.teach.slides.code import code_blocks
from lessonkit.teach.slides.sentences import is_question, sentences, without_code
from lessonkit.teach.slides.table import table_blocks

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
_TEX = re.compile(r"\$\$|\$[^$\n]*\\[a-zA-Z]+[^$\n]*\$")


@dataclass(frozen=True)
class Piece:
    """A paragraph, list, table, quotation or block of code: `kind` is markdown-it's word for it.

    What a reader has to unfold, an answer mostly, is "folded": it stands in notes and on no slide.
    """

    kind: str
    text: str
    html: str
    tokens: tuple[Token, ...] = field(repr=False)

    def asks(self) -> bool:
        """Whether this is a paragraph that asks something."""
        return self.kind == "paragraph" and any(map(is_question, sentences(self.text)))

    def blocks(self) -> list[Block]:
        """Return the piece as blocks of a slide."""
        if self.kind == "fence":
            return code_blocks(self.text, self.tokens[0].info.strip() or "text")
        if self.kind == "table":
            return table_blocks(self.tokens)
        listed = "list" in self.kind
        text = self.text if listed else " ".join(self.text.splitlines())
        columns = sizes.TEXT_COLUMNS - (4 if listed else 0)
        return [Block(f'<div class="text">{self.html}</div>', partial(sizes.text_height, text, columns=columns))]


@dataclass(frozen=True)
class Passage:
    """What stands under one heading; `level` is 0 and `title` empty for text before the first one."""

    level: int
    title: str
    pieces: tuple[Piece, ...]

    @property
    def words(self) -> int:
        """How many words it has, its heading's included."""
        return len(f"{self.title} {' '.join(piece.text for piece in self.pieces)}".split())

    def with_piece(self, piece: Piece) -> "Passage":
        """Return the passage with one piece more."""
        return replace(self, pieces=(*self.pieces, piece))


def passages(source: str) -> list[Passage]:
    """Return the passages of a Markdown cell in order. Raises ValueError where a formula is written in TeX."""
    if _TEX.search(without_code(source)):
        raise ValueError(
            "a formula in TeX, which needs a script to be drawn; write it as text (x², ½, √) or as code"
        )
    found = [Passage(0, "", ())]
    parts = _FOLDED.split(source)  # text, summary, what it unfolds, text, …
    for number, part in enumerate(parts):
        if number % 3 == 1:
            tokens = _MARKDOWN.parse(f"**{part}**\n{parts[number + 1]}")
            found.append(found.pop().with_piece(Piece("folded", _text(tokens), _render(tokens), tuple(tokens))))
        for tokens in _top_level(_MARKDOWN.parse(part)) if number % 3 == 0 else ():
            if tokens[0].type == "heading_open":
                found.append(Passage(int(tokens[0].tag[1]), _text(tokens), ()))
            else:
                found.append(found.pop().with_piece(_piece(tokens)))
    return [passage for passage in found if passage.level or passage.pieces]


def inline(text: str) -> str:
    """Return one line of Markdown as HTML."""
    return _render(_MARKDOWN.parseInline(text))


def paragraph(text: str, *, style: str) -> Block:
    """Return a paragraph of Markdown as a block whose box is of class `style`."""
    measure = partial(sizes.text_height, " ".join(text.splitlines()), padding=8, columns=sizes.TEXT_COLUMNS - 2)
    return Block(f'<div class="{style}"><p>{inline(text)}</p></div>', measure)


def _top_level(tokens):
    start = depth = 0
    for number, token in enumerate(tokens, start=1):
        depth += token.nesting
        if depth == 0:
            yield tokens[start:number]
            start = number


def _text(tokens):
    """Return the Markdown of some tokens as it was written, a line for each paragraph or cell."""
    return "\n".join(token.content.replace("\n", " ") for token in tokens if token.type == "inline")


def _piece(tokens):
    kind = tokens[0].type.removesuffix("_open")
    text = tokens[0].content if kind in ("fence", "code_block") else _text(tokens)
    return Piece("fence" if kind == "code_block" else kind, text, _render(tokens), tuple(tokens))


def _render(tokens):
    for token in tokens:
        token.children = _without_dead_links(token.children) if token.children else token.children
    return _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})


def _without_dead_links(children):
    """Links into the course's folder lead nowhere from a file that is carried elsewhere: their text stays."""
    kept, dead = [], False
    for token in children:
        if token.type == "link_open":
            dead = not re.match(r"https?:", str(token.attrs.get("href", "")))
        if not (dead and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept
