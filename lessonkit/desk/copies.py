"""Create, update and reset the learner's copies, and recognise those whose chapter was renamed or removed."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from lessonkit.desk.as_opened import as_opened
from lessonkit.desk.companions import bring_outputs, bring_pages
from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import content
from lessonkit.desk.merge import Merged, merge
from lessonkit.desk.merge_base import Origin, bases_of, find_base, origin, says_own_outputs, version_of
from lessonkit.desk.own_outputs import clear_ours, has_outputs
from lessonkit.desk.storage import Trouble, keep_old, move_old, opened, put, still_holds
from lessonkit.desk.trust import is_trusted, trust
from lessonkit.notebook.catalog import Chapter, find
from lessonkit.notebook.folds import same_folds
from lessonkit.notebook.reader import Reading, Unreadable, load, read
from lessonkit.notebook.what_we_saw import FOLD, page_name
from lessonkit.system import disk
from lessonkit.system.plain_file import read_plain

_OURS = f"An output appears when you run its cell, and “{FOLD}” below the cell shows ours"
_EMPTIED = "our outputs are taken out, and what you wrote and your own outputs stay"


@dataclass
class Outcome:
    """What was done, and what could not be: sentences for people."""

    said: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


class Brought(NamedTuple):
    """What became of one copy."""

    written: bool = False
    trusted: bool = True  # whether the outputs in it may be shown
    sentence: str = ""  # empty for one that is new
    new: bool = False  # made now
    cleared: bool = False  # our outputs were taken out of a copy in which nobody had typed or run anything


def bring(desk: Desk) -> Outcome:
    """Make the copies that are missing and bring what the course has changed into the others.

    A copy whose cells are those it was made from is replaced; another one is merged, and its old state kept.
    Raises `Refused` where the folder cannot be written; a single copy that cannot be updated is left as it is.
    """
    outcome = Outcome()
    chapters = find(desk.originals)
    with opened(desk):
        first = not any(desk.copy(chapter.name).exists() for chapter in chapters)
        renamed, sentences = without_chapter(desk, chapters)
        sentences += bring_pages(desk, outcome.troubles)
        brought = {}
        try:
            for chapter in chapters:
                path = renamed.get(chapter.name, desk.copy(chapter.name))
                try:
                    brought[chapter.name] = _bring(desk, chapter, path, outcome.troubles)
                except Trouble as error:
                    outcome.troubles.append(str(error))
                except Exception as error:  # noqa: BLE001 - said; one copy must not keep the others from theirs
                    outcome.troubles.append(_stopped(desk, path, error))
        finally:  # what has been written is trusted, also where the disk is full then
            _trust(desk, [name for name, one in brought.items() if one.written and one.trusted], outcome)
    added = [name for name, one in brought.items() if one.new]
    if added:
        number = "1 chapter is" if len(added) == 1 else f"{len(added)} chapters are"
        what = number if first else f"{', '.join(added)}:"
        outcome.said.append(
            f"{what} copied to {desk.shown(desk.work)}: write there, the originals stay as they are."
        )
    outcome.said += [*sentences, *(one.sentence for one in brought.values() if one.sentence)]
    if emptied := sum(one.cleared for one in brought.values()):
        which = "1 chapter opens" if emptied == 1 else f"{emptied} chapters open"
        outcome.said.append(f"{which} without our outputs now. {_OURS}.")
    return outcome


def reset(desk: Desk, chapters: list[Chapter]) -> Outcome:
    """Replace the copies of `chapters` by the originals; whatever was there is kept. Raises `Refused`."""
    outcome, written = Outcome(), []
    with opened(desk):
        for chapter in chapters:
            try:
                original = _original(chapter)
            except Trouble as error:
                outcome.troubles.append(str(error))
                continue
            new, path, kept = as_opened(original), desk.copy(chapter.name), ""
            if os.path.lexists(path):
                try:
                    old = keep_old(desk, path, read_plain(path))
                except OSError as error:
                    if disk.is_full(error):
                        raise
                    old = move_old(desk, path)  # a folder, a link to nothing, or what may not be read
                kept = f"; your old copy is now {desk.shown(old)}"
            put(desk, Origin(chapter.name, version_of(original)), new, new)
            bring_outputs(desk, chapter.name, original, outcome.troubles)
            written.append(chapter.name)
            outcome.said.append(f"{chapter.name}: replaced by a new copy{kept}.")
        _trust(desk, written, outcome)
    return outcome


def _bring(desk: Desk, chapter: Chapter, path: Path, troubles: list[str]) -> Brought:
    """Bring a chapter into the copy at `path` (a renamed chapter's has the old name). Raises `Trouble`, OSError."""
    original, place = _original(chapter), desk.copy(chapter.name)
    new, source = as_opened(original), Origin(chapter.name, version_of(original))
    bring_outputs(desk, chapter.name, original, troubles)
    if not os.path.lexists(path):
        put(desk, source, new, new)
        return Brought(written=True, new=True)
    data, (mine, repaired) = _read(desk, chapter, path)
    said = origin(mine)
    if said == source and not repaired and says_own_outputs(mine):
        return Brought()
    if said and said.chapter != path.stem and (desk.originals / f"{said.chapter}.ipynb").exists():
        raise Trouble(
            f"{desk.shown(path)} is left as it is: it is a copy of {said.chapter}, so give it another name"
        )
    base, trusted = find_base(desk, path.stem, mine, new), is_trusted(desk, mine)
    unchanged = list(map(content, mine.cells)) == list(map(content, base.cells))
    if not says_own_outputs(mine):
        clear_ours(mine, base, original, same_version=said == source)
    result = merge(base, mine, new)
    ran = has_outputs(mine)
    if path == place and unchanged and (said != source or not (repaired or ran)):
        still_holds(desk, path, data)
        put(desk, source, new, result.notebook if ran or _folds_differ(base, mine) else new)
        done = f"{chapter.name}: replaced by its new version; you had changed nothing." if said != source else ""
        return Brought(written=True, trusted=trusted or not ran, sentence=done, cleared=not done)
    old = keep_old(desk, path, data)
    still_holds(desk, path, data)
    put(desk, source, new, result.notebook)
    if path != place:
        path.unlink()
        (desk.work / page_name(path.stem)).unlink(missing_ok=True)
    done = f"its new version{carried(result)}" if said != source else "repaired" if repaired else _EMPTIED
    sentence = f"{chapter.name}: {done}; your copy before it is {desk.shown(old)}.{_odd(repaired)}"
    return Brought(written=True, trusted=trusted, sentence=sentence)


def _folds_differ(base: NotebookNode, mine: NotebookNode) -> bool:
    """Return whether anything was folded or unfolded in a copy that has the cells of `base`."""
    return not all(map(same_folds, base.cells, mine.cells))


def _odd(repaired: tuple[str, ...]) -> str:
    """Return a sentence about what an editor or a program had left in a copy and the format does not allow."""
    if not repaired:
        return ""
    more = f" And {len(repaired) - 3} more." if len(repaired) > 3 else ""
    return f" Cells that did not fit the format were repaired. {' '.join(repaired[:3])}{more}"


def _stopped(desk: Desk, path: Path, error: Exception) -> str:
    """Return a sentence about a copy at which an update failed. Raises an OSError again that concerns them all."""
    if isinstance(error, OSError):
        if disk.is_full(error) or str(path) not in (str(error.filename), str(error.filename2)):
            raise error
        why = f"it cannot be replaced ({error.strerror}); is it open elsewhere?"
        return f"{desk.shown(path)} is left as it is: {why}"
    return (
        f"{desk.shown(path)} is left as it is: the update failed with {type(error).__name__}: {str(error)[:120]}. "
        "This is an error of `course update`, please report it; the other chapters are not affected"
    )


def carried(merged: Merged) -> str:
    """Return `, with 3 answers and 1 note of yours`, and how many are marked “Yours:”; empty for none."""
    kinds = {kind: merged.carried[kind] for kind in ("answers", "cells", "notes")}
    words = [f"{number} {kind if number > 1 else kind[:-1]}" for kind, number in kinds.items() if number]
    beside = merged.carried["beside"]
    apart = f" ({beside} where the course changed the cell as well: look for “Yours:”)" if beside else ""
    return f", with {' and '.join(words)} of yours{apart}" if words else ""


def _original(chapter: Chapter) -> NotebookNode:
    try:
        return load(chapter.path)
    except Unreadable as error:
        raise Trouble(
            f"{chapter.path}, the course's own, cannot be used: {error}; did a `git pull` stop with a conflict?"
        ) from None
    except OSError as error:
        raise Trouble(f"{chapter.path}, the course's own, cannot be read ({error.strerror})") from None


def _read(desk: Desk, chapter: Chapter, path: Path) -> tuple[bytes, Reading]:
    try:
        data = read_plain(path)
        return data, read(data)
    except FileNotFoundError:
        raise Trouble(
            f"{desk.shown(path)} is left as it is: it is a link to {path.readlink()}, which is not there"
        ) from None
    except OSError as error:
        raise Trouble(
            f"{desk.shown(path)} is left as it is: it cannot be read ({error.strerror}); "
            f"`course reset {chapter.number:02}` moves it to {desk.shown(desk.old)} and makes a new copy"
        ) from None
    except Unreadable as error:
        raise Trouble(
            f"{desk.shown(path)} is left as it is: {error}; "
            f"`course reset {chapter.number:02}` keeps it and makes a new copy"
        ) from None


def _trust(desk: Desk, names: list[str], outcome: Outcome) -> None:
    if names and (sentence := trust(desk, [desk.copy(name) for name in names])):
        outcome.troubles.append(sentence)


def without_chapter(desk: Desk, chapters: list[Chapter]) -> tuple[dict[str, Path], list[str]]:
    """Return the copies of renamed chapters, by the new name, and a sentence for each other copy.

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
            mine = _notebook_in(path)
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
    """Return the name of the chapter with most of the cells `ids`, or None if no chapter has half of them."""
    shared = {chapter.name: len(ids & _ids(found)) for chapter in chapters if (found := _original_in(chapter))}
    best = max(shared, key=shared.get, default=None)
    return best if best and 2 * shared[best] >= len(ids) > 0 else None


def _ids(notebook: NotebookNode) -> set[str]:
    return {cell["id"] for cell in notebook.cells if cell.get("id")}


def _notebook_in(path: Path) -> NotebookNode | None:
    try:
        return load(path)
    except Unreadable:  # the caller passes over it; the error is reported when the copy is opened
        return None


def _original_in(chapter: Chapter) -> NotebookNode | None:
    try:
        return _original(chapter)
    except Trouble:  # `bring` reports it, at this chapter's turn
        return None
