"""Copies whose name no chapter has: the chapter was renamed or is gone, or the learner renamed the copy."""

from pathlib import Path

from nbformat import NotebookNode

from lessonkit.desk.folder import Desk
from lessonkit.desk.versions import Unreadable, bases_of, find_base, origin, parse
from lessonkit.notebook.catalog import Chapter
from lessonkit.system.plain_file import read_plain


def strangers(desk: Desk, chapters: list[Chapter]) -> tuple[dict[str, Path], list[str]]:
    """Return the copies of renamed chapters, by the new name, and a sentence for each copy without a chapter.

    A chapter is the same where it has at least half of the cells that the copy was made from, by id.
    """
    names = {chapter.name for chapter in chapters}
    free = [chapter for chapter in chapters if not desk.copy(chapter.name).exists()]
    renamed: dict[str, Path] = {}
    sentences = []
    for path in sorted(desk.work.glob("*.ipynb")):
        if path.stem in names:
            continue
        try:
            mine = _read(path)
        except OSError as error:
            sentences.append(f"{desk.shown(path)} cannot be read ({error.strerror}), so it is not updated.")
            continue
        if mine is None:
            continue
        said = origin(mine)
        if not bases_of(desk, path.stem) and (said is None or said.chapter != path.stem):
            if said:
                sentences.append(f"{desk.shown(path)}: your own copy of {said.chapter}, which is not updated.")
            continue  # this name never was a chapter's
        now = _same(free, _ids(find_base(desk, path.stem, mine, mine)))
        if now in (None, *renamed):
            sentences.append(f"{path.stem}: the course has no such chapter any more; your copy stays.")
        else:
            renamed[now] = path
            sentences.append(f"{path.stem} is called {now} now, and so is your copy.")
    return renamed, sentences


def _same(chapters: list[Chapter], ids: set[str]) -> str | None:
    """Return the name of the chapter with most of the cells `ids`, None where none has half of them."""
    shared = {chapter.name: len(ids & _ids(found)) for chapter in chapters if (found := _read(chapter.path))}
    best = max(shared, key=shared.get, default=None)
    return best if best and 2 * shared[best] >= len(ids) > 0 else None


def _ids(notebook: NotebookNode) -> set[str]:
    return {cell["id"] for cell in notebook.cells if cell.get("id")}


def _read(path: Path) -> NotebookNode | None:
    try:
        return parse(read_plain(path))
    except Unreadable:  # no notebook has no cells in common with any; who opens it is told
        return None
