"""Slides as cells of a notebook that nbconvert's exporter turns into a deck; what goes on one is counted in rows.

A row is a line of code. The count decides only where a slide ends and which of three sizes its letters have: the
style sheet lets a slide scroll where it was too low.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

ROWS = 17  # of a slide
FEW_ROWS, MOST_ROWS = 12, 20  # with large letters, with small ones
PICTURE = 13  # rows that a picture takes
COLUMNS, LARGE_COLUMNS, TEXT_COLUMNS = 80, 66, 84  # letters of a line of code, of a large one, of a line of text


CONTINUED = " *(continued)*"


@dataclass
class Slide:
    """One slide: `blocks` are cells; `part` stands small above the title; `notes` are Markdown.

    `minutes` is what it takes, `cell` the number that its code has in the notebook after Run All, 0 without code.
    """

    title: str
    part: str = ""
    kind: str = "plain"
    blocks: list[NotebookNode] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    minutes: float = 0.0
    cell: int = 0

    @property
    def rows(self) -> float:
        """The rows that its blocks take."""
        return sum(map(rows, self.blocks))

    def cells(self, when: str, seconds: int) -> Iterator[NotebookNode]:
        """Yield the slide as cells for nbconvert; `when` begins its notes, and its clock runs for `seconds`."""
        data = {"kind": self.kind, "size": self._size(), "timing": str(seconds)}
        data |= {"cell": str(self.cell)} if self.cell else {}
        head = [self.blocks[0].source] if self.kind == "title" else [self.part, f"## {self.title}"]
        yield _marked(markdown("\n\n".join(filter(None, head)), "head"), "slide", data)
        yield _marked(markdown("\n\n".join([when, *self.notes])), "notes")
        for number, block in enumerate(self.blocks[self.kind == "title" :]):
            waits = "hint" in block.metadata.tags or (number > 0 and "output" in block.metadata.tags)
            yield _marked(block, "fragment" if waits else "-")

    def _size(self):
        if any(map(_is_picture, self.blocks)):
            return "picture" if len(self.blocks) == 1 else "normal"
        widest = max((len(line) for block in self.blocks for line in _code(block).splitlines()), default=0)
        if self.rows <= FEW_ROWS and widest <= LARGE_COLUMNS:
            return "large"
        return "small" if self.rows > ROWS or widest > COLUMNS else "normal"


def markdown(text: str, tag: str = "text") -> NotebookNode:
    """Return Markdown as a block; `tag` (text, bet, hint, head) says how it looks."""
    return new_markdown_cell(text, metadata={"tags": [tag]})


def code_blocks(source: str) -> list[NotebookNode]:
    """Return code as blocks: one, or where it is longer than a slide several, cut at empty lines."""
    parts = [""]
    for part in re.split(r"\n(?:[ \t]*\n)+", source.strip("\n")):
        joined = f"{parts[-1]}\n\n{part}" if parts[-1] else part
        if parts[-1] and _lines(source, COLUMNS) > MOST_ROWS and _lines(joined, COLUMNS) > ROWS:
            parts.append(part)
        else:
            parts[-1] = joined
    return [new_code_cell(part, metadata={"tags": ["code"]}) for part in parts]


def output_block(shown: NotebookNode, described: str) -> NotebookNode:
    """Return an output as a block that waits for a key; `described` is for those who do not see a picture."""
    waits = {"tags": ["output"], "transient": {"remove_source": True}, "alt": described}
    return new_code_cell("", outputs=[shown], metadata=waits)


def packed(slide: Slide, blocks: Sequence[NotebookNode]) -> list[Slide]:
    """Return `slide` with the blocks on it, and where they do not fit, slides that continue it.

    A hint stays with what it is a hint to: a key shows it, and a slide may scroll then.
    """
    slides = [slide]
    for block in blocks:
        if slides[-1].blocks and "hint" not in block.metadata.tags and slides[-1].rows + rows(block) > ROWS:
            more = slide.title + CONTINUED
            slides.append(replace(slide, title=more, blocks=[], notes=[], minutes=0.0))
        slides[-1].blocks.append(block)
    return slides


def rows(block: NotebookNode) -> float:
    """Return about how many rows a block takes."""
    if _is_picture(block):
        return PICTURE
    if text := _code(block):
        return 1 + _lines(text, COLUMNS)
    return 0.5 + 1.15 * _lines(re.sub("<[^>]+>", "", _text(block)), TEXT_COLUMNS)


def _lines(text, columns):
    return sum(max(1, -(-len(line) // columns)) for line in text.strip().splitlines())


def _code(block):
    """Return the text of a block that is set letter under letter, nothing for another one."""
    shown = next(iter(block.get("outputs", ())), None)
    if shown is None:
        return block.source if block.cell_type == "code" else ""
    return "\n".join(shown.traceback) if shown.output_type == "error" else shown.get("text", "")


def _text(block):
    return "\n".join(block.outputs[0].data.values()).replace("<br>", "\n") if block.get("outputs") else block.source


def _is_picture(block):
    return any("image/png" in shown.get("data", {}) for shown in block.get("outputs", ()))


def _marked(cell, slide_type, data=None):
    cell.metadata.slideshow = NotebookNode(slide_type=slide_type, data=data or {})
    return cell
