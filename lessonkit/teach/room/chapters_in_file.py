"""Find the chapters in a submitted file: almost always one, but two may have been pasted into one notebook."""

from collections.abc import Sequence

from nbformat import NotebookNode

from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.catalog import Chapter
from lessonkit.teach.room import submission


def parts(
    notebook: NotebookNode, first: Chapter, chapters: Sequence[Chapter]
) -> list[tuple[Chapter, NotebookNode]]:
    """Return each chapter that a notebook answers, with the notebook as that chapter's; `first`, where it is one.

    A cell belongs to the chapter whose exercises were imported last above it. In the notebook of a chapter, the
    cells that check exercises of another are empty, so that the numbers of the others stay.
    """
    belongs = _belongs(notebook, first, chapters)
    there = {chapter: set() for chapter in [first, *belongs]}
    for chapter, cell in zip(belongs, notebook.cells, strict=True):
        there[chapter] |= set(tasks_in(cell))
    found = [one for one in there if one == first or there[one] & _keys(one)]
    if len(found) == 1:
        return [(first, notebook)]
    return [(one, _only(notebook, belongs, one)) for one in sorted(found, key=belongs.index)]


def _belongs(notebook: NotebookNode, first: Chapter, chapters: Sequence[Chapter]) -> list[Chapter]:
    slugs, found = {chapter.slug: chapter for chapter in chapters}, []
    imports = [
        [slugs[slug] for slug in submission.imported(cell.source) if slug in slugs]
        if cell.cell_type == "code"
        else []
        for cell in notebook.cells
    ]
    now = next((those[0] for those in imports if those), first)
    for those in imports:
        now = those[-1] if those else now
        found.append(now)
    return found


def _keys(chapter: Chapter) -> set[str]:
    return {submission.key_of(task) for task in submission.tasks(chapter)}


def _only(notebook: NotebookNode, belongs: Sequence[Chapter], chapter: Chapter) -> NotebookNode:
    cells = [
        cell
        if whose == chapter or not tasks_in(cell)
        else NotebookNode(cell_type="raw", source="", metadata=NotebookNode())
        for whose, cell in zip(belongs, notebook.cells, strict=True)
    ]
    metadata = NotebookNode({key: value for key, value in notebook.metadata.items() if key != "course"})
    return NotebookNode(notebook | {"cells": cells, "metadata": metadata})


def chapters_in_words(names: Sequence[str]) -> tuple[str, ...]:
    """Return the note on a file that holds several chapters, none for one."""
    if len(names) < 2:
        return ()
    return (f"The file holds {len(names)} chapters, {' and '.join(names)}; each of them is judged.",)
