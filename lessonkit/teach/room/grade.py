"""Carry out one `course grade`: check all that was asked for before anything runs, then grade, report and save."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from filelock import FileLock, Timeout

from lessonkit.notebook.catalog import find
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.teach.room import gradebook
from lessonkit.teach.room.grading import Grader
from lessonkit.teach.room.grading_queue import GradingQueue, waiting_in
from lessonkit.teach.room.handed_in import notebooks
from lessonkit.teach.room.rows import Graded
from lessonkit.teach.room.sandbox.isolation import available
from lessonkit.teach.room.sandbox.process import Limits

DONE, TROUBLE, INTERRUPTED = 0, 1, 130


def carry_out(
    folder: Path, out: Path, *, jobs: int, seconds: float, anew: bool, unconfined: bool, chapters: Path
) -> int:
    """Grade the notebooks in `folder` into `out`; return the exit status.

    Raises `Refused` where there is nothing to grade, or nothing to keep submissions apart with (`unconfined`: do it
    all the same).
    """
    ours = tuple(find(chapters))
    places = list(notebooks(folder, ours))
    if not places:
        raise Refused(f"no notebook (.ipynb) in {folder}")
    if out.resolve().is_relative_to(folder.resolve()):
        raise Refused(
            f"{out} lies in {folder}: what was handed in there could bring grades of its own; give another --out"
        )
    isolation = available()
    if not isolation.of_files and not unconfined:
        raise Refused(
            "this system keeps a submission from nothing: no bubblewrap, no namespaces for this user. Grade on a "
            "Linux machine that has one of them, or, if you trust every file in there, say --unconfined"
        )
    limits = Limits(seconds=seconds)
    atomic.make_folder(out)
    try:
        with FileLock(out / "grade.lock", timeout=0):
            book = gradebook.opened(out, isolation=isolation, limits=asdict(limits), chapters=ours, anew=anew)
            grader = Grader(ours, out, isolation, limits, book.head["secret"])
            return _grade(folder, places, book, grader, jobs)
    except Timeout:
        raise Refused(f"another `course grade` is writing into {out}; give this one another --out") from None


def _grade(folder, places, book, grader, jobs):
    waiting = waiting_in(folder, places, book)
    if len(waiting) < len(places):
        click.echo(f"{len(places) - len(waiting)} of {len(places)} submissions were graded before and are kept.")
    elif book.dropped:
        click.echo(f"All are graded anew: {book.dropped}.")
    click.echo(f"Isolation: {grader.isolation.name} ({grader.isolation.promises}).")
    count = 0

    def tell(one: Graded) -> None:
        nonlocal count
        count += 1
        words = f"{one.passed} of {one.counted} passed"
        unusual = Counter(
            row.state
            for row in one.rows
            if row.state in ("ended", "too slow", "unreadable", "not judged", "not judged here")
        )
        more = "".join(f", {number} {state}" for state, number in unusual.items())
        click.echo(
            f"[{count} of {len(waiting)}] {one.learner}, {one.chapter or one.file}: {words}{more} "
            f"({one.seconds:.1f} s)"
        )

    try:
        GradingQueue(folder, book, grader, jobs, tell).run(waiting)
    except KeyboardInterrupt:
        book.save()
        click.echo(f"Interrupted; {count} results are in {book.out}, and the same command goes on with the others.")
        return INTERRUPTED
    book.save()
    click.echo(f"{book.out / 'grades.html'} (also .csv, .json)")
    _tell_what_to_look_at(book.results())
    return (
        TROUBLE
        if any(row.state in ("unreadable", "not judged") for one in book.results() for row in one.rows)
        else DONE
    )


def _tell_what_to_look_at(results: Sequence[Graded]) -> None:
    """List the answers that this machine could not judge: they are neither passed nor failed."""
    those = [(one, row) for one in results for row in one.rows if row.state == "not judged here"]
    if those:
        count = "1 answer was" if len(those) == 1 else f"{len(those)} answers were"
        click.echo(f"{count} not judged here, and counted as neither passed nor failed. Look by hand at:")
    for one, row in those:
        click.echo(f"  {one.learner}, {one.chapter}, {row.exercise}: {row.message}")
