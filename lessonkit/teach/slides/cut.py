"""A notebook cut into slides, by its headings and cells alone.

A passage and the code after it are a step: the slide keeps title, bet, code and output, its text goes to the notes.
Text behind an output, before the next heading, reads that output, and goes to the notes of its slide.
"""

import html

from nbformat import NotebookNode

from lessonkit.notebook import pace
from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import imported_exercises
from lessonkit.notebook.title import claim
from lessonkit.teach.slides import exercise
from lessonkit.teach.slides.block import Slide, packed
from lessonkit.teach.slides.code import code_blocks
from lessonkit.teach.slides.prose import Passage, Piece, paragraph, passages
from lessonkit.teach.slides.sentences import bet, lead
from lessonkit.teach.slides.shown import output_blocks

SKIP = "slide-skip"  # an author's tag: this cell is in the notes of no slide and on none
_SHOWN = ("bullet_list", "ordered_list", "table", "fence")


def cut(nb: NotebookNode, *, solved: bool) -> list[Slide]:
    """Return the slides of all cells but the first, which `opening.slides` makes; `solved` puts answers into notes.

    Raises ValueError naming a cell that cannot be shown.
    """
    before = _set_up(nb)
    knife = _Knife(imported_exercises(nb), solved, claim(nb.cells[0].source))
    for number, cell in enumerate(nb.cells[1:], start=1):
        if SKIP in tags(cell) or any(cell is one for one in before):
            continue
        try:
            follows = nb.cells[number + 1] if number + 1 < len(nb.cells) else None
            knife.text(cell, follows) if cell.cell_type == "markdown" else knife.code(cell)
        except ValueError as error:
            raise ValueError(f"cell {number + 1} ({cell.get('id', 'without an id')}): {error}") from error
    knife.end_passage()
    return knife.slides


class _Knife:
    """What has been cut so far, and the passage that waits for its code."""

    def __init__(self, modules, solved, begins):
        self.modules, self.solved = modules, solved
        self.slides, self.part, self.title = [], begins, ""
        self.waiting: Passage | None = None

    def text(self, cell, follows):
        found = passages(cell.source)
        for number, passage in enumerate(found, start=1):
            self.end_passage()
            if passage.level:
                self.part, self.title = (passage.title, "") if passage.level <= 2 else (self.part, passage.title)
                self.waiting = passage
            elif self.slides:
                self._read(passage, follows if number == len(found) else None)
            else:
                self.waiting = passage

    def _read(self, passage, follows):
        """Text behind an output: what reads it, and if code comes next, what leads to that."""
        *before, last = passage.pieces
        code_next = follows is not None and follows.cell_type == "code"
        leads = code_next and (last.asks() or last.text.endswith(":") or last.kind in _SHOWN)
        reading = before if leads else passage.pieces
        if reading:
            self._note("The output, read", reading)
        if leads:
            self.waiting = Passage(0, "", (last,))

    def _note(self, name, pieces):
        slide = self.slides[-1]
        slide.notes.append(f"<p><strong>{name}.</strong></p>{''.join(piece.html for piece in pieces)}")
        slide.minutes += pace.prose(sum(len(piece.text.split()) for piece in pieces))

    def end_passage(self):
        """Make slides of a passage that no code follows."""
        passage, self.waiting = self.waiting, None
        if passage is None or not passage.pieces:
            return
        blocks = [block for piece in _shown(passage) for block in piece.blocks()]
        asking = _asking(passage)
        if asking:
            blocks.append(paragraph(bet(asking.text), style="bet"))
        if not blocks and passage.pieces[0].kind != "folded":
            blocks = [paragraph(lead(passage.pieces[0].text), style="text")]
        self._add(passage, blocks, "plain")

    def code(self, cell):
        if not cell.source.strip():
            return
        passage, self.waiting = self.waiting or Passage(0, "", ()), None
        asked = exercise.is_asked(cell)
        if "exercise" in tags(cell):
            blocks = [block for piece in passage.pieces if piece.kind != "folded" for block in piece.blocks()]
        else:
            asking = _asking(passage)
            blocks = [block for piece in _shown(passage) for block in piece.blocks()]
            blocks += [paragraph(bet(asking.text), style="bet")] if asking else []
        source = code_blocks(cell.source)
        if len(source) > 1 and blocks:
            source[0] = source[0].alone()
        blocks += source
        if "exercise" in tags(cell):
            blocks += exercise.hint_block(cell)
        else:
            blocks += output_blocks(cell, self.title or self.part)
        made = self._add(passage, blocks, "exercise" if asked else "plain", cell.execution_count or 0)
        made[-1].minutes += pace.MINUTES_A_CELL
        if asked:
            made[-1].notes += exercise.notes(cell, self.modules, solved=self.solved)
        if "exercise" in tags(cell):
            self.title = ""  # what follows is no part of it

    def _add(self, passage, blocks, kind, cell=0):
        slide = Slide(self.title or self.part, self.part if self.title else "", kind, cell=cell)
        slide.minutes = pace.prose(passage.words) + pace.exercise(passage.title)
        slide.notes = [piece.html for piece in passage.pieces]
        made = packed(slide, blocks)
        self.slides += made
        return made


def _asking(passage: Passage) -> Piece | None:
    """Return the last paragraph of a passage that asks something."""
    return next((piece for piece in reversed(passage.pieces) if piece.asks()), None)


def _shown(passage):
    return [piece for piece in passage.pieces if piece.kind in _SHOWN]


def _set_up(nb):
    """Return the code cells that only prepare: imports and settings, all up to the one tagged `parameters`."""
    cells = [cell for cell in nb.cells if cell.cell_type == "code"]
    last = next((number for number, cell in enumerate(cells) if "parameters" in tags(cell)), -1)
    return cells[: last + 1]


def set_up(nb: NotebookNode) -> str:
    """Return, as HTML for the notes, the cells that no slide shows: those that only prepare."""
    return "".join(f"<pre>{html.escape(cell.source)}</pre>" for cell in _set_up(nb))
