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
from lessonkit.teach.room import gradebook, manifest, moodle
from lessonkit.teach.room.by_hand import looks
from lessonkit.teach.room.counted import counted
from lessonkit.teach.room.feedback import FOLDER
from lessonkit.teach.room.grading import Grader
from lessonkit.teach.room.grading_queue import GradingQueue, waiting_in
from lessonkit.teach.room.hand_in_notes import ids, known, names, people, rows
from lessonkit.teach.room.handed_in import notebooks
from lessonkit.teach.room.manifest import Manifest
from lessonkit.teach.room.overrides import NAME
from lessonkit.teach.room.rows import Graded
from lessonkit.teach.room.sandbox.isolation import available
from lessonkit.teach.room.sandbox.process import Limits
from lessonkit.teach.room.settled import settled
from lessonkit.teach.room.tables import FOR_LMS

DONE, TROUBLE, INTERRUPTED = 0, 1, 130
_UNUSUAL = ("ended", "too slow", "unreadable", "not judged", "not judged here")


def carry_out(
    folder: Path,
    out: Path,
    *,
    jobs: int,
    seconds: float,
    anew: bool,
    unconfined: bool,
    chapters: Path,
    resubmissions: str = "latest",
    released: Path | None = None,
) -> int:
    """Grade the notebooks in `folder` into `out`; return the exit status.

    `resubmissions`: which of several hand-ins of one learner and chapter counts, the "latest" or the "best".
    `released`: what `course release` wrote, which says what was handed out. Raises `Refused` where there is nothing
    to grade, or nothing to keep submissions apart with (`unconfined`: do it all the same).
    """
    ours = tuple(find(chapters))
    places = list(notebooks(folder, ours))
    collected = manifest.load(folder) or Manifest()
    if not places and not collected.items:
        raise Refused(f"no notebook (.ipynb) in {folder}")
    if out.resolve().is_relative_to(folder.resolve()):
        raise Refused(f"{out} lies in {folder}: a hand-in could then bring grades of its own; give another --out")
    isolation = available()
    if not isolation.of_files and not unconfined:
        raise Refused(
            "this system cannot isolate submissions: it has no bubblewrap, and this user may make no namespaces. "
            "Grade on a Linux machine that has one of them, or, if you trust every file in there, say --unconfined"
        )
    limits = Limits(seconds=seconds)
    atomic.make_folder(out)
    try:
        with FileLock(out / "grade.lock", timeout=0):
            book = gradebook.opened(
                out,
                isolation=isolation,
                limits=asdict(limits),
                chapters=ours,
                anew=anew,
                released=released,
            )
            notes, further, called = known(collected), rows(collected, ours), names(collected)
            book.settle = lambda those: settled([*those, *further], rule=resubmissions, known=notes, names=called)
            book.ids = {called[person.folder]: ids(person) for person in collected.people}
            book.people, book.moodle = people(collected), moodle.folders(collected, called)
            grader = Grader(ours, out, isolation, limits, book.head["secret"])
            return _grade(folder, places, book, grader, jobs)
    except Timeout:
        raise Refused(f"another `course grade` is writing into {out}; give this one another --out") from None


def _grade(folder, places, book, grader, jobs):
    waiting = waiting_in(folder, places, book)
    if len(waiting) < len(places):
        kept = len(places) - len(waiting)
        was = "was graded before and is kept" if kept == 1 else "were graded before and are kept"
        click.echo(f"{kept} of {counted(len(places), 'submission')} {was}.")
    elif book.dropped:
        click.echo(f"All are graded anew: {book.dropped}.")
    click.echo(f"Isolation: {grader.isolation.name} ({grader.isolation.promises}).")
    count = 0

    def tell(one: Graded) -> None:
        nonlocal count
        count += 1
        standings = book.tally()[0].of(one.file)
        learner = standings[0].graded.learner
        rows = [scored for standing in standings for scored in standing.rows]
        right = sum(each.row.passed and each.counts for each in rows)
        words = f"{right} of {sum(each.counts and each.row.counts for each in rows)} passed"
        unusual = Counter(each.row.state for each in rows if each.row.state in _UNUSUAL)
        more = "".join(f", {number} {state}" for state, number in unusual.items())
        click.echo(
            f"[{count} of {len(waiting)}] {learner}, {one.chapter or one.file}: {words}{more} ({one.seconds:.1f} s)"
        )

    try:
        GradingQueue(folder, book, grader, jobs, tell).run(waiting)
    except KeyboardInterrupt:
        book.save(complete=False)
        there = f"{counted(count, 'result')} {'is' if count == 1 else 'are'} in {book.out}"
        click.echo(f"Interrupted; {there}, and the same command grades the others.")
        return INTERRUPTED
    book.save()
    room, overrides = book.tally()
    for trouble in overrides.troubles:
        click.echo(trouble, err=True)
    if overrides.by_row:
        have = "row has" if len(overrides.by_row) == 1 else "rows have"
        click.echo(f"{len(overrides.by_row)} {have} points by hand, from {book.out / NAME}.")
    for one in overrides.by_row.values():
        if one.points > 1:
            click.echo(f"{NAME}, line {one.line}, gives {one.points:g} points for one exercise; a check gives 1.")
    things = counted(len(looks(room)), "thing")
    click.echo(f"{book.out / 'grades.html'} (also .csv, .json): {things} to look at by hand.")
    click.echo(f"{book.out / FOR_LMS}: one row per learner. {book.out / FOLDER}: a page to send to each learner.")
    _tell_what_to_look_at(book.results())
    unjudged = any(row.state in ("unreadable", "not judged") for one in book.results() for row in one.rows)
    return TROUBLE if unjudged or overrides.troubles else DONE


def _tell_what_to_look_at(results: Sequence[Graded]) -> None:
    """List the answers that this machine could not judge: they are neither passed nor failed."""
    those = [(one, row) for one in results for row in one.rows if row.state == "not judged here"]
    if those:
        count = "1 answer was" if len(those) == 1 else f"{len(those)} answers were"
        again = "It is" if len(those) == 1 else "They are"
        click.echo(
            f"{count} not judged here, and counted as neither passed nor failed. {again} tried again once a "
            "package or a file has come, or with --anew. Look by hand at:"
        )
    for one, row in those:
        click.echo(f"  {one.learner}, {one.chapter}, {row.exercise}: {row.message}")
