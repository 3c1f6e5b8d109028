"""The Markdown of a notebook, taken apart at its headings, and set as HTML."""

import re
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from lessonkit.teach.slides.sentences import is_question, sentences, without_code


def _coloured(source, language, _):
    """Return a block of code with Pygments' classes; nothing, which leaves it as text, for an unknown language."""
    try:
        return highlight(source, get_lexer_by_name(language, stripnl=False), HtmlFormatter(nowrap=True))
    except ClassNotFound:
        return ""


# Raw HTML is shown as text, and a picture becomes a link: a slide loads nothing and runs nothing of a notebook.
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "highlight": _coloured}).enable("table").disable("image")
_FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
_TEX = re.compile(r"\$\$|\$[^$\n]*\\[a-zA-Z]+[^$\n]*\$")


@dataclass(frozen=True)
class Piece:
    """A paragraph, list, table, quotation or block of code as Markdown; `kind` is markdown-it's word for it.

    A part that a reader has to unfold, mostly an answer, is of the kind "folded".
    """

    kind: str
    text: str

    def asks(self) -> bool:
        """Whether this is a paragraph that asks something."""
        return self.kind == "paragraph" and any(map(is_question, sentences(self.text)))


@dataclass(frozen=True)
class Passage:
    """What stands under one heading; `level` is 0 and `title` empty for text before the first one."""

    level: int = 0
    title: str = ""
    pieces: tuple[Piece, ...] = ()

    @property
    def words(self) -> int:
        """How many words it has, its heading's included."""
        return len(f"{self.title} {' '.join(piece.text for piece in self.pieces)}".split())


def passages(source: str) -> list[Passage]:
    """Return the passages of a Markdown cell in order. Raises ValueError where a formula is written in TeX."""
    if _TEX.search(without_code(source)):
        raise ValueError(
            "a formula in TeX, which needs a script to be drawn; write it as text (x², ½, √) or as code"
        )
    found = [Passage()]
    parts = _FOLDED.split(source)  # text, summary, what it unfolds, text, …
    for number, part in enumerate(parts):
        if number % 3 == 1:
            _append(found, Piece("folded", f"**{part}**\n\n{parts[number + 1].strip()}"))
        for kind, level, text in _blocks(part) if number % 3 == 0 else ():
            if kind == "heading":
                found.append(Passage(level, text))
            else:
                _append(found, Piece(kind, text))
    return [passage for passage in found if passage.level or passage.pieces]


def _append(found, piece):
    found[-1] = replace(found[-1], pieces=(*found[-1].pieces, piece))


def _blocks(text):
    """Yield (kind, level of a heading, Markdown) of every block at the top level."""
    lines, tokens = text.splitlines(), _MARKDOWN.parse(text)
    for number, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            kind = token.type.removesuffix("_open")
            if kind == "heading":
                yield kind, int(token.tag[1]), tokens[number + 1].content
            else:
                yield kind, 0, "\n".join(lines[slice(*token.map)])


def to_html(text: str) -> str:
    """Return Markdown as HTML. Links into the course's folder, which lead nowhere from a deck, become text."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        token.children = _without_dead_links(token.children or [])
    return _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})


def _without_dead_links(children):
    kept, dead = [], False
    for token in children:
        if token.type == "link_open":
            dead = not re.match(r"https?:", str(token.attrs.get("href", "")))
        if not (dead and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept
