"""The copies of a work folder filled, brought up to date, and begun anew."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import content
from lessonkit.desk.merge import Merged, merge
from lessonkit.desk.pages import bring_pages
from lessonkit.desk.renamed import strangers
from lessonkit.desk.storage import Trouble, keep_old, opened, put, still_holds
from lessonkit.desk.trust import is_trusted, trust
from lessonkit.desk.versions import Origin, Unreadable, find_base, origin, parse, version_of
from lessonkit.notebook.catalog import Chapter, find
from lessonkit.system.plain_file import read_plain


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


def bring(desk: Desk) -> Outcome:
    """Make the copies that are missing and bring what the course has changed into the others.

    A copy whose cells are those it was made from is replaced; another one is merged, and its old state kept.
    Raises `Refused` where the folder cannot be written; a single copy that cannot be updated is left as it is.
    """
    outcome = Outcome()
    chapters = find(desk.originals)
    with opened(desk):
        first = not any(desk.copy(chapter.name).exists() for chapter in chapters)
        renamed, sentences = strangers(desk, chapters)
        sentences += bring_pages(desk)
        brought = {}
        try:
            for chapter in chapters:
                try:
                    brought[chapter.name] = _bring(
                        desk, chapter, renamed.get(chapter.name, desk.copy(chapter.name))
                    )
                except Trouble as error:
                    outcome.troubles.append(str(error))
        finally:  # what has been written is trusted, also where the disk is full then
            _trust(desk, [name for name, one in brought.items() if one.written and one.trusted], outcome)
    added = [name for name, one in brought.items() if one.written and not one.sentence]
    if added:
        number = "1 chapter is" if len(added) == 1 else f"{len(added)} chapters are"
        what = number if first else f"{', '.join(added)}:"
        outcome.said.append(
            f"{what} copied to {desk.shown(desk.work)}: write there, the originals stay as they are."
        )
    outcome.said += [*sentences, *(one.sentence for one in brought.values() if one.sentence)]
    return outcome


def reset(desk: Desk, chapters: list[Chapter]) -> Outcome:
    """Begin the copies of `chapters` anew; what was there, whatever it was, is kept. Raises `Refused`."""
    outcome, written = Outcome(), []
    with opened(desk):
        for chapter in chapters:
            try:
                new = _original(chapter)
            except Trouble as error:
                outcome.troubles.append(str(error))
                continue
            path, kept = desk.copy(chapter.name), ""
            if path.exists():
                kept = f"; what was there is {desk.shown(keep_old(desk, path, read_plain(path)))} now"
            put(desk, Origin(chapter.name, version_of(new)), new, new)
            written.append(chapter.name)
            outcome.said.append(f"{chapter.name}: begun anew{kept}.")
        _trust(desk, written, outcome)
    return outcome


def _bring(desk: Desk, chapter: Chapter, path: Path) -> Brought:
    """Bring a chapter into the copy at `path` (a renamed chapter's has the old name). Raises `Trouble`, OSError."""
    new, place = _original(chapter), desk.copy(chapter.name)
    source = Origin(chapter.name, version_of(new))
    if not path.exists():
        put(desk, source, new, new)
        return Brought(written=True)
    data, mine = _read(desk, chapter, path)
    said = origin(mine)
    if said == source:
        return Brought()
    if said and said.chapter != path.stem and (desk.originals / f"{said.chapter}.ipynb").exists():
        raise Trouble(
            f"{desk.shown(path)} is left as it is: it is a copy of {said.chapter}, so give it a name of its own"
        )
    base = find_base(desk, path.stem, mine, new)
    if path == place and list(map(content, mine.cells)) == list(map(content, base.cells)):
        still_holds(desk, path, data)
        put(desk, source, new, new)
        return Brought(
            written=True, sentence=f"{chapter.name}: replaced by its new version; you had changed nothing."
        )
    merged, trusted = merge(base, mine, new), is_trusted(desk, mine)
    old = keep_old(desk, path, data)
    still_holds(desk, path, data)
    put(desk, source, new, merged.notebook)
    if path != place:
        path.unlink()
    sentence = f"{chapter.name}: its new version{carried(merged)}; your copy before it is {desk.shown(old)}."
    return Brought(written=True, trusted=trusted, sentence=sentence)


def carried(merged: Merged) -> str:
    """Return `, with 3 answers and 1 note of yours`, and what stands beside; nothing where nothing was."""
    kinds = {kind: merged.carried[kind] for kind in ("answers", "cells", "notes")}
    words = [f"{number} {kind if number > 1 else kind[:-1]}" for kind, number in kinds.items() if number]
    beside = merged.carried["beside"]
    apart = f" ({beside} where the course changed the cell as well: look for “Yours:”)" if beside else ""
    return f", with {' and '.join(words)} of yours{apart}" if words else ""


def _original(chapter: Chapter) -> NotebookNode:
    try:
        return parse(read_plain(chapter.path))
    except Unreadable as error:
        raise Trouble(
            f"{chapter.path}, the course's own, cannot be used: {error}; did a `git pull` stop with a conflict?"
        ) from None


def _read(desk: Desk, chapter: Chapter, path: Path) -> tuple[bytes, NotebookNode]:
    try:
        data = read_plain(path)
        return data, parse(data)
    except OSError as error:
        raise Trouble(f"{desk.shown(path)} is left as it is: it cannot be read ({error.strerror})") from None
    except Unreadable as error:
        raise Trouble(
            f"{desk.shown(path)} is left as it is: {error}; "
            f"`course reset {chapter.number:02}` keeps it and begins anew"
        ) from None


def _trust(desk: Desk, names: list[str], outcome: Outcome) -> None:
    if names and (sentence := trust(desk, [desk.copy(name) for name in names])):
        outcome.troubles.append(sentence)
