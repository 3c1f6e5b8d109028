"""Write the start page, START.md in the folder of the copies: chapters with ticks, and what comes next.

Markdown without HTML, so that JupyterLab's preview, VS Code and a plain editor show the same.
"""

import time
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS
from lessonkit.progress.record import FILE, Standing, read
from lessonkit.progress.summary import ChapterProgress, Summary, Task, contents, hours, summarise
from lessonkit.system import atomic

NAME = "START.md"
SPACE = "\N{NO-BREAK SPACE}"  # the page stands in half a window: where it is narrow, a line ends elsewhere
_PATIENCE = 0.5  # seconds for others that write it at the same moment, or on Windows have it open

HEAD = """# Where you are

{next}

Core: {core}. Further: {further}.

✓ is passed, ○ is open. The minutes left are those of the core / of the whole chapter. The page is written anew at
each check, so keep notes of your own elsewhere.

| chapter | core | further | minutes left |
| --- | --- | --- | --- |
"""
FOOT = """
**How to go on:** open a chapter by its link, run a cell with Shift+Enter, type your answer where `...` stands, run
the cell again and read the verdict. `ex.NAME.hint()` gives the next hint, `ex.NAME.solution()` our answer. Only the
core is needed by later chapters.{terms}

In a terminal, `course progress` shows this table. What is noted lies in `{file}` beside this page and stays on this
machine; `COURSE_PROGRESS=0` switches it off. Your verdicts are told to a page of your instructor's only if you join
one: `course join` asks you first, and `course leave` ends it.
"""

TERMS = " Every term is in the **[glossary](glossary.md)**."


def write(work: Path, standings: list[Standing] | None = None) -> bool:
    """Write the page into the folder of the copies, atomically; return whether its text has changed.

    `standings`: how all exercises stand, read from the record unless given. If another process records a check
    at the same time, the page is read and written again, so the last page written includes every check.
    Raises OSError where the page cannot be written, `NotKept` where the record cannot be read.
    """
    until, written = time.monotonic() + _PATIENCE, False
    standings = read(work / FILE) if standings is None else standings
    while True:
        written |= _replace(work / NAME, text(summarise(standings, contents())), until)
        latest = read(work / FILE)
        if latest == standings or time.monotonic() > until:
            return written
        standings = latest


def _replace(path: Path, new: str, until: float) -> bool:
    data = new.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    while True:
        try:
            atomic.write(path, data, durable=False)
            return True
        except PermissionError:  # Windows, while JupyterLab reads it
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def text(summary: Summary) -> str:
    """Return the page as Markdown."""
    core, further = (_amount(summary, further=further) for further in (False, True))
    head = HEAD.format(next=_next(summary), core=core, further=further)
    rows = "".join(_row(one) for one in summary.chapters)
    terms = TERMS if (NOTEBOOKS / "glossary.md").is_file() else ""
    return head + rows + FOOT.format(file=FILE.as_posix(), terms=terms)


def _next(summary: Summary) -> str:
    if summary.next is None:
        return "**Everything is solved.** Which chapter would you do again?"
    chapter, task = summary.next
    where = _link(chapter)
    which = f"`{task.name}`{', from *Further*' if task.further else ''}"
    begin = "Next" if summary.begun else "Begin here"
    return f"**{begin}: exercise {which} in {where}**\n\n> {chapter.contents.claim}"


def _amount(summary: Summary, *, further: bool) -> str:
    done, there = summary.done(further=further)
    return f"{done} of {there} exercises, {_unbroken(hours(summary.minutes_left(further=further)))} left"


def _row(one: ChapterProgress) -> str:
    columns = [
        _link(one),
        *(_ticks(one, one.tasks(further=further)) for further in (False, True)),
        _unbroken(one.left()),
    ]
    return f"| {' | '.join(columns)} |\n"


def _link(one: ChapterProgress) -> str:
    return f"[{_unbroken(label(one))}]({one.contents.chapter.name}.ipynb)"


def _unbroken(text: str) -> str:
    return text.replace(" ", SPACE)


def label(one: ChapterProgress) -> str:
    """Return `05 training`."""
    return one.contents.chapter.name.replace("_", " ")


def _ticks(one: ChapterProgress, tasks: list[Task]) -> str:
    names = []
    for before, task in zip([None, *tasks], tasks, strict=False):
        kind, _, number = task.name.rpartition(" ")  # the second of two questions, case 7 and case 8, is 8
        short = number if before and kind and before.name.startswith(kind) else task.name
        names.append(f"{'✓' if task.name in one.passed else '○'}{SPACE}{_unbroken(short)}")
    return " ".join(names)
