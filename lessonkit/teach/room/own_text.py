"""What a learner has typed as answers, as one digest: by it the same text in two hand-ins is found."""

import hashlib
import re
from functools import lru_cache

from nbformat import NotebookNode

from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.reader import parse
from lessonkit.teach.room import submission

_SHORTEST = 80  # characters without white space: two people may well type the same short line


def own_text(notebook: NotebookNode, chapter: Chapter) -> str:
    """Return a digest of the cells that answer a chapter's exercises and are not the chapter's own text.

    White space, the order of the cells, and cells that name no exercise make no difference. It is empty where
    the text is so short that two people may have typed the same.
    """
    names = "|".join(re.escape(task.name) for task in submission.tasks(chapter) if task.name)
    if not names:
        return ""
    answers = re.compile(rf"(?<![\w.])(?:ex\.)?(?:{names})(?!\w)")
    code = (cell.source for cell in notebook.cells if cell.cell_type == "code" and answers.search(cell.source))
    own = {_bare(source) for source in code} - _chapters(chapter) - {""}
    if sum(map(len, own)) < _SHORTEST:
        return ""
    return hashlib.sha256("\0".join([chapter.name, *sorted(own)]).encode("utf-8", "replace")).hexdigest()[:24]


@lru_cache
def _chapters(chapter: Chapter) -> frozenset[str]:
    return frozenset(_bare(cell.source) for cell in parse(chapter.path.read_bytes()).cells)


def _bare(source: str) -> str:
    return "".join(source.split())
