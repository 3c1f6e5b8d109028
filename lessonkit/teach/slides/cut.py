"""A notebook cut into slides, by its headings and cells alone.

A passage and the code after it are a step: the slide keeps title, bet, code and output, its text goes to the notes.
Text behind an output, before the next heading, reads that output, and goes to the notes of its slide.
"""

from nbformat import NotebookNode

from lessonkit.notebook import reading_time
from lessonkit.notebook.catalog import claim, minutes
from lessonkit.notebook.cells import tags, wants_answer
from lessonkit.notebook.folds import is_folded
from lessonkit.notebook.solutions import Unsolvable, answer_question, imported_exercises, own_hints, solve_source
from lessonkit.notebook.tags import EXERCISE, PARAMETERS, QUESTION, SLIDE_SKIP
from lessonkit.system.course import course
from lessonkit.teach.slides import shown
from lessonkit.teach.slides.extract import MOST_LINES, extract, solves
from lessonkit.teach.slides.prose import Passage, Piece, passages
from lessonkit.teach.slides.sentences import bet, lead
from lessonkit.teach.slides.slide import Slide, code_blocks, markdown, output_block, packed

KEYS = "Space: on · ↓: scroll · S: notes and clock · F: full screen · Esc: all slides · ?: all keys"
_SOON = 2  # cells behind an exercise that may hold its answer
_SHOWN = ("bullet_list", "ordered_list", "table", "fence", "code_block")


def opening(nb: NotebookNode, *, number: int, further: bool) -> list[Slide]:
    """Return the title slide and the goals, from the first cell. Raises ValueError where that has no title."""
    source = nb.cells[0].source if nb.cells else ""
    core, whole = minutes(source)
    passage = next((one for one in passages(source) if one.level == 1), None)
    if passage is None:
        raise ValueError("the first cell has no title, `# 05 · …`")
    time = f"{whole} minutes, with Further" if further and whole != core else f"{core} minutes"
    head = f"{course().title} · chapter {number:02}"
    first = [head, f"# {claim(source) or passage.title}", time, course().licence, KEYS]
    title = Slide(passage.title, kind="title", blocks=[markdown("\n\n".join(filter(None, first)))])
    prepares = [f"```python\n{cell.source}\n```" for cell in _set_up(nb)]
    title.notes = [*(piece.text for piece in passage.pieces), "Cells that no slide shows:", *prepares]
    title.minutes = reading_time.prose(passage.words)
    goals = [piece for piece in passage.pieces if piece.kind == "bullet_list"]
    if not goals:
        return [title]
    goals += [piece for piece in passage.pieces if piece.text.startswith("**Builds on**")]
    return [title, *packed(Slide("By the end you can"), [markdown(piece.text) for piece in goals])]


def cut(nb: NotebookNode, *, solved: bool) -> list[Slide]:
    """Return the slides of all cells but the first; `solved` puts our answers into the notes.

    Raises ValueError naming a cell that cannot be shown, and `Unsolvable` where our answer is not found.
    """
    before = _set_up(nb)
    knife = _Knife(imported_exercises(nb), solved, claim(nb.cells[0].source))
    for number, cell in enumerate(nb.cells[1:], start=1):
        if SLIDE_SKIP in tags(cell) or any(cell is one for one in before):
            continue
        try:
            if cell.cell_type == "markdown":
                knife.text(cell, code_next=[one.cell_type for one in nb.cells[number + 1 : number + 2]] == ["code"])
            elif cell.cell_type == "code" and cell.source.strip():
                knife.code(cell)
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
        self.asked = 0  # how many cells ago the last exercise was, and our answer to it
        self.ours = ""

    def text(self, cell, *, code_next):
        found = passages(cell.source)
        for number, passage in enumerate(found, start=1):
            self.end_passage()
            if passage.level:
                self.part, self.title = (passage.title, "") if passage.level <= 2 else (self.part, passage.title)
            if passage.level or not self.slides:
                self.waiting = passage
            else:
                self._read(passage, code_next=code_next and number == len(found))

    def _read(self, passage, *, code_next):
        """Text behind an output: what reads it, and if code comes next, what leads to that."""
        *before, last = passage.pieces
        leads = code_next and (last.asks() or last.text.endswith(":") or last.kind in _SHOWN)
        reading = before if leads else passage.pieces
        if reading:
            slide = self.slides[-1]
            slide.notes += ["**The output, read.**", *(piece.text for piece in reading)]
            slide.minutes += reading_time.prose(sum(len(piece.text.split()) for piece in reading))
        if leads:
            self.waiting = Passage(pieces=(last,))

    def end_passage(self):
        """Make slides of a passage that no code follows."""
        passage, self.waiting = self.waiting, None
        if passage is None or not passage.pieces:
            return
        blocks = _kept(passage)
        if not blocks and passage.pieces[0].kind != "folded":
            blocks = [markdown(lead(passage.pieces[0].text))]
        self._add(passage, blocks)

    def code(self, cell):
        passage, self.waiting = self.waiting or Passage(), None
        told = []
        if EXERCISE in tags(cell):
            blocks = [markdown(piece.text) for piece in passage.pieces if piece.kind != "folded"]
            blocks += code_blocks(cell.source)
            blocks += [markdown(f"**Hint:** {hint}", "hint") for hint in self._hints(cell)[:1]]
            self.asked, self.ours = _SOON, self._ours(cell)
        else:
            described = shown.described(cell, self.title or self.part)
            code, told = self._code(cell)
            blocks = [*_kept(passage), *code]
            blocks += [output_block(one, described) for one in shown.outputs(cell)]
            self.asked -= 1
        asked = wants_answer(cell)
        made = self._add(passage, blocks, kind="exercise" if asked else "plain", cell=cell.execution_count or 0)
        made[-1].minutes += reading_time.MINUTES_A_CELL
        made[0].notes += told
        if asked:
            made[-1].notes += self._told(cell)
        if EXERCISE in tags(cell):
            self.title = ""  # what follows is no part of it

    def _code(self, cell):
        """Return what a slide shows of a cell's code, and what its notes say of the rest."""
        short = extract(cell.source)
        whole = ["The whole cell:", f"```python\n{cell.source}\n```"]
        if is_folded(cell, "source_hidden"):
            return [], whole
        if self.asked > 0 and self.ours and solves(cell.source, self.ours):
            words = "*The next cell of the chapter holds an answer to the exercise: no slide shows it.*"
            return [markdown(words)], whole
        if len(short.splitlines()) > MOST_LINES:
            return [markdown(f"*The cell has {len(short.splitlines())} lines: look at it in the notebook.*")], whole
        return (code_blocks(short) if short else []), ([] if short == cell.source.strip("\n") else whole)

    def _ours(self, cell):
        """Return our answer to an exercise, nothing where it is not found."""
        try:
            return solve_source(cell.source, self.modules)[0]
        except Unsolvable:
            return ""

    def _hints(self, cell):
        """Return the hints of an exercise: those stored with its check, or where it has none its own."""
        return shown.hints(cell) or own_hints(cell.source, self.modules)

    def _told(self, cell):
        """Return the notes of an exercise: its hints, and if asked for, our answer."""
        found = self._hints(cell)
        told = [f"Hint {number} of {len(found)}: {hint}" for number, hint in enumerate(found, start=1)]
        if self.solved:
            question = QUESTION in tags(cell)
            ours = answer_question(cell.source) if question else solve_source(cell.source, self.modules)[0]
            told += ["Our answer:", f"```python\n{ours}\n```"]
        return told

    def _add(self, passage, blocks, *, kind="plain", cell=0):
        slide = Slide(self.title or self.part, self.part if self.title else "", kind, cell=cell)
        slide.minutes = reading_time.prose(passage.words) + reading_time.exercise(passage.title)
        slide.notes = [piece.text for piece in passage.pieces]
        made = packed(slide, blocks)
        self.slides += made
        return made


def _kept(passage: Passage) -> list[NotebookNode]:
    """Return what a slide keeps of a passage: lists, tables, code, and of the last paragraph that asks, the bet."""
    blocks = [markdown(piece.text) for piece in passage.pieces if piece.kind in _SHOWN]
    asking: Piece | None = next((piece for piece in reversed(passage.pieces) if piece.asks()), None)
    return blocks if asking is None else [*blocks, markdown(bet(asking.text), "bet")]


def _set_up(nb: NotebookNode) -> list[NotebookNode]:
    """Return the code cells that only prepare: imports and settings, all up to the one tagged `parameters`."""
    cells = [cell for cell in nb.cells if cell.cell_type == "code"]
    last = next((number for number, cell in enumerate(cells) if PARAMETERS in tags(cell)), -1)
    return cells[: last + 1]
