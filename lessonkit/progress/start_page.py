"""Write the start page, START.md in the folder of the copies: what comes next, and how far each chapter is done.

Markdown without HTML and without tables, so that JupyterLab's preview, VS Code and a plain editor show the same in
a column of a quarter of a window.
"""

import time
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS
from lessonkit.notebook.headings import in_a_link
from lessonkit.progress.cells_of_copies import with_cells_of
from lessonkit.progress.contents import Task, contents
from lessonkit.progress.record import FILE, Standing, read
from lessonkit.progress.summary import ChapterProgress, Summary, summarise
from lessonkit.progress.wording import WIDTH, bar, finished, hours, title, whole
from lessonkit.system import atomic

NAME = "START.md"
SPACE = "\N{NO-BREAK SPACE}"  # the column is narrow: a line ends at another place
KINDS = (("core", False), ("*Further*", True))
WIDE = 15  # signs of the bars for the whole course, as many as fit the column at 1280 pixels
BREAK = "  \n"  # two spaces at its end break a line in Markdown
_PATIENCE = 0.5  # seconds for others that write it at the same moment, or on Windows have it open

LEGEND = """Each bar shows how many exercises you have passed: ✓ marks a passed exercise, and ○ an open one. The
minutes are estimates. The page is rewritten at each check, so keep your own notes elsewhere.
"""
FOOT = """## How to go on

Open a chapter by its link and run a cell with Shift+Enter. In an exercise, type your answer in place of `...`,
run the cell again and read the verdict. `ex.NAME.hint()` gives the next hint, and `ex.NAME.solution()` shows our
answer. An output appears when you run its cell, and *What we saw* below the cell unfolds ours. Later chapters need
only the core.{terms}

In a terminal, `course progress` shows how far you are. Your progress is kept in `{file}` next to this page and
stays on this machine; `COURSE_PROGRESS=0` switches that off. Your verdicts are sent to an instructor's page only if
you join one: `course join` asks you first, and `course leave` ends it.
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
        chapters = [with_cells_of(work, one) for one in contents()]
        written |= _replace(work / NAME, text(summarise(standings, chapters)), until)
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
    terms = TERMS if (NOTEBOOKS / "glossary.md").is_file() else ""
    now = summary.next and summary.next[0]
    others = [one for one in summary.chapters if one is not now]
    sections = [
        "# Where you are",
        *_next(summary),
        _whole_course(summary),
        LEGEND.rstrip(),
        *([f"## The parts of chapter {now.contents.number}", *_parts(now)] if now else []),
        "## All chapters",
        *map(_chapter, summary.chapters),
        FOOT.format(file=FILE.as_posix(), terms=terms).rstrip(),
        *(["## The parts of the other chapters"] if others else []),
        *(line for one in others for line in (f"### {_name(one)}", *_parts(one))),
    ]
    return "\n\n".join(sections) + "\n"


def _next(summary: Summary) -> list[str]:
    said, more = finished(summary)
    lines = [f"**{said}** {more}"] if said else []
    if summary.next:
        chapter, task = summary.next
        if summary.begun:
            where = f"{'*Further* of ' if task.further else ''}{_name(chapter)}"
            lines.append(f"**Next: {_link_to(chapter, task)}**{BREAK}It is in {where}.")
        else:
            lines.append(f"**Begin here: {_link(chapter)}**{BREAK}The first exercise is *{title(task)}*.")
    return lines


def _whole_course(summary: Summary) -> str:
    rows = [
        _amount(of, *summary.done(further=further), hours(summary.minutes_left(further=further)), width=WIDE)
        for of, further in KINDS
    ]
    return "\n\n".join(filter(None, rows))


def _chapter(one: ChapterProgress) -> str:
    """Return the chapter's link and a bar each for its core and for *Further*."""
    rows = [
        _amount(of, *one.done(further=further), f"{whole(one.minutes_left(further=further))} min")
        for of, further in KINDS
    ]
    return BREAK.join([f"**{_link(one)}**", *filter(None, rows)])


def _amount(of: str, done: int, there: int, left: str, *, width: int = WIDTH) -> str:
    """Return a bar and what it shows, `■■■□□□□□ core: 1 of 3, 41 min left`; empty where there is no exercise."""
    if not there:
        return ""
    rest = f", {left} left" if done < there else ", finished"
    return f"{bar(done, there, width)} {_unbroken(f'{of}: {done} of {there}{rest}')}"


def _parts(one: ChapterProgress) -> list[str]:
    """Return each part with a bar, one sign for each exercise, and links to its exercises as a list."""
    lines = []
    for part in one.parts():
        name = part.title or ("Further" if part.further else "Core")
        done, there = part.done()
        lines.append(f"**{name}** {bar(done, there, min(there, WIDTH))} {_unbroken(f'{done} of {there}')}")
        ticks = ("✓" if task.name in part.passed else "○" for task in part.tasks)
        links = (_link_to(one, task) for task in part.tasks)
        lines.append("\n".join(f"- {tick} {link}" for tick, link in zip(ticks, links, strict=True)))
    return lines


def _name(one: ChapterProgress) -> str:
    return in_a_link(one.contents.title)


def _link(one: ChapterProgress) -> str:
    return f"[{_name(one)}]({one.contents.chapter.name}.ipynb)"


def _link_to(one: ChapterProgress, task: Task) -> str:
    """Return the link to the cell of a task, which JupyterLab's extension `course-desk` follows."""
    cell = f"#cell-id={task.cell}" if task.cell else ""
    return f"[{in_a_link(title(task))}]({one.contents.chapter.name}.ipynb{cell})"


def _unbroken(text: str) -> str:
    return text.replace(" ", SPACE)
