"""The observer that records each verdict and hint, and then rewrites the start page."""

import os
import sys
from collections import deque
from typing import TYPE_CHECKING

from lessonkit.checks.answer import explanation
from lessonkit.checks.listeners import Kind
from lessonkit.checks.verdict import Note, Verdict
from lessonkit.desk.folder import at_desk, work_folder
from lessonkit.system.course import course

if TYPE_CHECKING:
    from lessonkit.progress.record import Entry


def in_ci() -> bool:
    """Return whether this is a CI machine, which no learner uses."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def switched_off() -> bool:
    """Return whether nothing is noted: COURSE_PROGRESS=0, or a CI machine."""
    return os.environ.get("COURSE_PROGRESS", "") == "0" or in_ci()


class ProgressListener:
    """Records each verdict and hint in the learner's work folder; an error is printed once, to standard error.

    Entries that could not be recorded are retried with the next one of this kernel, when the drive may have room.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._waiting: deque[Entry] = deque(maxlen=1000)  # not kept yet; more than anybody checks in a day

    def __call__(self, subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> None:
        """Record a verdict or note on an Exercise or a multiple-choice question.

        It never raises, and waits about a second at most.
        """
        try:
            if at_desk() and not switched_off():
                self._keep(subject, said, seconds, kind)
        except Exception as error:  # noqa: BLE001 - printed; the learner gets the verdict anyway
            self._tell(f"Progress is not kept: {type(error).__name__}: {error}")

    def _keep(self, subject, said, seconds, kind):
        # With sqlite3: not before there is something to note, which away from the desk is never.
        from lessonkit.progress import record, start_page

        entry = as_entry(subject, said, seconds, kind)
        if entry is None:
            return
        self._waiting.append(entry)
        work = work_folder()
        try:
            standings = record.note(work / record.FILE, *self._waiting, warn=self._tell)
        except record.NotKept as error:
            self._tell(f"Progress is not kept: {error} The next check tries again.")
            return
        self._waiting.clear()
        try:
            start_page.write(work, standings)
        except (OSError, record.NotKept) as error:
            why = (
                error.strerror if isinstance(error, OSError) else error
            )  # the reason alone: the temporary file has another name each time
            self._tell(f"{work / start_page.NAME} was not updated: {why}")

    def _tell(self, sentence):
        if sentence not in self._told:
            self._told.add(sentence)
            print(sentence, file=sys.stderr)


def as_entry(subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> "Entry | None":
    """Return the line for the record, None for an exercise that is not the course's, and for a demonstration.

    A demonstration is a check or a hint in a cell of the course that is no exercise: nobody has tried anything.

    The chapter is the module of the exercise's reference, `training` of `PACKAGE.exercises.training.answers`;
    of a question that is answered by a letter, the one whose notebook asks it.
    """
    from lessonkit.progress.demonstrations import demonstrated
    from lessonkit.progress.record import Entry

    state = said.state if isinstance(said, Verdict) else None
    if demonstrated(passed=state == "passed"):
        return None
    if kind == "question":
        wrong = [letter for letter, option in subject.options.items() if option.why == said.message]
        mistake = wrong[0] if state == "known mistake" else None
        asked = _asked(subject)
        return Entry(*asked, kind, state, mistake, seconds) if asked else None
    module, exercises = subject.reference.__module__, f"{course().exercises}."
    if not module.startswith(exercises):
        return None
    mistake = _made(subject, said.message) if state == "known mistake" else None
    chapter = module.removeprefix(exercises).partition(".")[0]
    return Entry(chapter, subject.name, kind, state, mistake, seconds)


def _asked(question):
    """Return (chapter, name) of a question in the first notebook that asks it, None where none does."""
    from lessonkit.notebook.catalog import find_question
    from lessonkit.progress.contents import contents

    tasks = ((one.chapter.slug, task.name) for one in contents() for task in one.tasks)
    return next(((slug, name) for slug, name in tasks if find_question(name) == question), None)


def _made(exercise, message):
    """Return the name of the mistake whose explanation the learner read, None where it is none of them."""
    return next((one.__name__ for one in exercise.mistakes if explanation(one) == message), None)
