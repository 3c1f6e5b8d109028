"""An exercise in a room: the first hint on the slide, all hints and, if asked for, our answer in the notes."""

import html
import re
from functools import partial

from nbformat import NotebookNode

from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import answer_question, solve_source
from lessonkit.teach.slides import sizes
from lessonkit.teach.slides.block import Block
from lessonkit.teach.slides.shown import hints

STUB = {"exercise", "question"}


def is_asked(cell: NotebookNode) -> bool:
    """Whether the learner is to answer something in this cell."""
    return bool(STUB & set(tags(cell)))


def hint_block(cell: NotebookNode) -> list[Block]:
    """Return the first hint as a block that is revealed if there is room; none where no hint is stored."""
    found = hints(cell)
    if not found:
        return []
    text = re.sub(r"<[^>]+>", "", f"Hint: {found[0].replace('<br>', chr(10))}")
    measure = partial(sizes.text_height, text, padding=16, columns=sizes.TEXT_COLUMNS - 4)
    return [Block(f'<div class="hint"><strong>Hint:</strong> {found[0]}</div>', measure, reveals=True, spare=True)]


def notes(cell: NotebookNode, modules: dict[str, str], *, solved: bool) -> list[str]:
    """Return the notes, HTML: the hints in steps, and with `solved` our answer.

    `modules` are the exercises that the notebook imports. Raises `Unsolvable` where our answer is not found.
    """
    found = hints(cell)
    told = [f"<p>Hint {number} of {len(found)}: {hint}</p>" for number, hint in enumerate(found, start=1)]
    if solved:
        ours = answer_question(cell.source) if "question" in tags(cell) else solve_source(cell.source, modules)[0]
        told.append(f"<p>Our answer:</p><pre>{html.escape(ours)}</pre>")
    return told
