"""Tell the outputs of a learner's own runs from those that the course has stored in its chapters.

A copy opens without outputs, so each output in it is the learner's. Copies from before December 2026 were made with
our outputs in them, which stand below cells that nobody has run. Nothing in such a copy says whose an output is; it
is ours where it looks as we had stored it.
"""

from nbformat import NotebookNode

from lessonkit.desk.matching import pairs
from lessonkit.notebook.cells import code_cells


def has_outputs(notebook: NotebookNode) -> bool:
    """Return whether any cell shows an output."""
    return any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")


def clear_ours(mine: NotebookNode, base: NotebookNode, chapter: NotebookNode, *, same_version: bool) -> int:
    """Remove our outputs, in place, from a copy that may hold some; return of how many cells.

    `base`: the version that the copy was made from, without outputs. `chapter`: the course's present one with them.
    `same_version`: it is that version. An output is ours where its cell has the number that the cell has in the
    chapter, and the output is what we have stored, or the copy was never saved with a kernel. If a later cell was
    run as the cell of its number, so was each one before it, although it printed what ours did.
    """
    places, had_kernel = _places(base), _had_kernel(mine)
    held, now = pairs(base.cells, mine.cells), pairs(base.cells, chapter.cells)
    source = {there: position for position, there in held.items()}  # position in mine -> in base
    stored = [_normal(cell) for cell in chapter.cells if cell.cell_type == "code"]
    texts = {base.cells[position].source: number for position, number in places.items()}
    looks_ours: list[tuple[int, NotebookNode]] = []
    ran_to = 0
    for position, cell in enumerate(mine.cells):
        if cell.cell_type != "code" or (not cell.outputs and cell.execution_count is None):
            continue
        place = places.get(source.get(position, -1), 0)
        numbers = {place} if place else {*places.values()}  # of a duplicate, say, that of any cell
        theirs = chapter.cells[now[source[position]]] if source.get(position) in now else None
        if theirs is None or theirs.cell_type != "code":
            same = _normal(cell) in stored or texts.get(cell.source) == cell.execution_count
        else:
            same = _normal(cell) == _normal(theirs)
            numbers.add(theirs.execution_count)
        unseen = not (same_version or had_kernel) and cell.execution_count is not None
        if cell.execution_count in numbers and (same or unseen):
            looks_ours.append((place, cell))
        elif same_version and cell.outputs and cell.execution_count == place:
            ran_to = max(ran_to, place)
    cleared = [cell for place, cell in looks_ours if not 0 < place < ran_to]
    for cell in cleared:
        cell.outputs, cell.execution_count = [], None
    return len(cleared)


def _places(base: NotebookNode) -> dict[int, int]:
    """Return position in `base` -> the number that we have stored with that cell."""
    numbers = {id(cell): number for number, cell in enumerate(code_cells(base), start=1)}
    return {position: numbers[id(cell)] for position, cell in enumerate(base.cells) if id(cell) in numbers}


def _had_kernel(notebook: NotebookNode) -> bool:
    """Return whether a front end may have saved the notebook while it had a kernel, without which no cell is run.

    Our copies were made with a `language_info` without the version; a notebook that has none at all has lost its
    metadata, and says nothing.
    """
    language = notebook.metadata.get("language_info")
    return not isinstance(language, dict) or "version" in language


def _normal(cell: NotebookNode) -> list[object]:
    """Return a cell's outputs without what differs from one program that saves them to another."""
    return [
        {key: value for key, value in output.items() if key not in ("execution_count", "metadata", "transient")}
        for output in cell.get("outputs", [])
    ]
