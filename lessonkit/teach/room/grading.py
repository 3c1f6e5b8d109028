"""Grade one submission, from its file to its rows: read it, run its answers in the sandbox, judge them here."""

import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.reader import Unreadable
from lessonkit.system.course import course
from lessonkit.system.meter import LONGER
from lessonkit.teach.room import submission
from lessonkit.teach.room.answer_code import code_of
from lessonkit.teach.room.best_answer import best, is_better
from lessonkit.teach.room.candidates import MOST
from lessonkit.teach.room.chapters_in_file import chapters_in_words, parts
from lessonkit.teach.room.failures import explained
from lessonkit.teach.room.odd_cells import on_odd_cells
from lessonkit.teach.room.own_text import own_text
from lessonkit.teach.room.rows import Graded, Row, letter_row, row_of, unreadable_rows, verdict_row
from lessonkit.teach.room.sandbox.isolation import Isolation
from lessonkit.teach.room.sandbox.process import NOT_STARTED, Limits, SandboxProcess, Told, in_words
from lessonkit.teach.room.static_answer import answer_in
from lessonkit.teach.room.submission import Answer, Task
from lessonkit.teach.room.verdicts import verdict_as_written, verdict_on

_SHARE = 1 / 3  # of an exercise's seconds is for its answer alone, at least the patience of a check in a notebook


@dataclass(frozen=True)
class _Waiting:
    """An answer that has to run: `written`, as its text has it; `seconds`, how long it is waited for."""

    task: Task
    answer: Answer
    exercise: Exercise
    written: object
    expected: Expected
    seconds: float


@dataclass
class _TimeLeft:
    """The seconds that a submission's processes have left, as a Meter counts them, and their end by the clock."""

    seconds: float
    until: float


@dataclass(frozen=True)
class Grader:
    """What all submissions have in common.

    `tree`: the part of the course that they see; `secret`: mixed into the seed of each submission's inputs.
    """

    chapters: tuple[Chapter, ...]
    tree: Path
    isolation: Isolation
    limits: Limits
    secret: int

    def grade(self, path: Path, *, learner: str, file: str) -> Graded:
        """Return what is said of one submission; raises nothing for what is in it."""
        start, data = time.monotonic(), b""

        def made(chapter: Chapter | None, rows: tuple[Row, ...], **more: object) -> Graded:
            known = {"learner": learner, "file": file, "sha256": submission.digest(data)}
            name, seconds = chapter.name if chapter else "", round(time.monotonic() - start, 2)
            return Graded(**known, chapter=name, rows=rows, seconds=seconds, **more)

        chapter = submission.chapter_of(path, None, self.chapters)
        try:
            data = submission.read(path)
            read = submission.opened(data)
            chapter = submission.chapter_of(path, read.notebook, self.chapters)
            if chapter is None:
                raise Unreadable("it is none of the course's chapters, by its name and by the exercises it imports")
            pieces = parts(read.notebook, chapter, self.chapters)
            found = [(one, submission.submission(notebook, one)) for one, notebook in pieces]
        except Unreadable as error:
            return made(chapter, unreadable_rows(chapter, str(error)))
        except Exception as error:  # noqa: BLE001 - a stranger wrote the file: JSON, and yet no notebook in any way
            words = f"it is no notebook that can be read ({type(error).__name__})"
            return made(chapter, unreadable_rows(chapter, words))
        several = chapters_in_words([one.name for one, _ in found])
        graded = []
        for (one, answers), (_, notebook) in zip(found, pieces, strict=True):
            rows = on_odd_cells(self._judged(one, answers, self.seed_of(data)), read)
            notes = (*several, *read.remarks, *_notes(answers))
            code = {name: code_of(those, answers.sources) for name, those in answers.answers.items() if those}
            graded.append(made(one, rows, notes=notes, own=own_text(notebook, one), code=code))
        return replace(graded[0], also=tuple(graded[1:]))

    def seed_of(self, data: bytes) -> int:
        """Return the seed of a submission's inputs: another one once it is changed, as a message names it."""
        return int(submission.digest(b"%d " % self.secret + data)[:7], 16)

    def _judged(self, chapter: Chapter, found: submission.Submission, seed: int) -> tuple[Row, ...]:
        try:
            return self._rows(chapter, found, seed)
        except Exception as error:  # noqa: BLE001 - a fault of ours, which must not keep others from being graded
            words = f"This could not be judged because of an error of the course: {type(error).__name__}: {error}"
            return tuple(row_of(task, "not judged", words) for task in submission.tasks(chapter))

    def _rows(self, chapter: Chapter, found: submission.Submission, seed: int) -> tuple[Row, ...]:
        module = importlib.import_module(f"{course().exercises}.{chapter.slug}")
        judged: dict[str, list[tuple[Answer, Row | None]]] = {}
        waiting: list[tuple[int, str, _Waiting]] = []
        for task in submission.tasks(chapter):
            judged[task.name] = []
            for number, answer in enumerate(found.answers.get(task.name, ())[-MOST:]):
                row, run = self._at_once(task, answer, module, seed)
                judged[task.name].append((answer, row))
                if run:
                    waiting.append((number, task.name, run))
        # Of each task the last answer first: what others take of a submission's time is not theirs.
        waiting.sort(key=lambda one: len(judged[one[1]]) - one[0])
        time_left = _TimeLeft(self.limits.whole, time.monotonic() + LONGER * self.limits.whole)
        for tried in range(2):
            told = self._told(module.__name__, [one for _, _, one in waiting], time_left)
            failed = []
            for (number, name, one), heard in zip(waiting, told, strict=True):
                row = self._row(one, heard, found)
                if not tried or (heard.message and is_better(row, judged[name][number][1])):
                    judged[name][number] = one.answer, row
                if not row.passed and one.answer.wider and heard.ended == "answered":
                    failed.append((number, name, _wider(one)))
            waiting = failed
        return tuple(self._best(task, judged[task.name], found) for task in submission.tasks(chapter))

    def _best(self, task: Task, judged: list[tuple[Answer, Row]], found: submission.Submission) -> Row:
        if judged:
            more = len(found.answers[task.name]) - len(judged)
            return best(judged, left_out=more, passed_there=task.name in found.passed_there)
        if task.name in found.answers:
            return row_of(task, "not attempted", "Not attempted.")
        return row_of(task, "missing", "There is no cell for it in this notebook.")

    def _at_once(self, task: Task, answer: Answer, module, seed: int) -> tuple[Row | None, _Waiting | None]:
        """Return the row of an answer whose text alone decides, else what is to be run."""
        if answer.trouble:
            return row_of(task, answer.trouble.state, answer.trouble.words), None
        if task.asked:
            return letter_row(task, answer), None
        exercise, written = getattr(module, task.name), answer_in(answer.pieces, answer.given)
        expected = Expected(exercise, seed)
        if verdict := verdict_as_written(exercise, written, expected):
            return verdict_row(task, verdict, exercise), None
        seconds = max(expected.patience(), _SHARE * self.limits.seconds)
        return None, _Waiting(task, answer, exercise, written, expected, seconds)

    def _told(self, module: str, answers: list[_Waiting], time_left: "_TimeLeft") -> list[Told]:
        """Run the answers, in as many processes as it takes: one that is ended is followed by one for the rest.

        Returns what came of each, in their order.
        """
        told: list[Told] = []
        waiting = [self._job(one) for one in answers]
        while waiting and time_left.seconds > 0 and time.monotonic() < time_left.until:
            one = SandboxProcess(module, self.tree, self.isolation, self.limits)
            given = waiting if one.forks else waiting[:1]
            heard = list(one.run(given, seconds=time_left.seconds, until=time_left.until))
            told += heard
            time_left.seconds -= one.charged
            waiting = waiting[len(heard) :]
            if heard[-1].ended.startswith(NOT_STARTED):  # nor would the others be
                return told + [Told(task["name"], heard[-1].ended) for task in waiting]
        return told + [Told(task["name"], "used up") for task in waiting]

    def _job(self, one: _Waiting) -> dict:
        """Return what the process is told of an answer."""
        pieces, given = one.answer.pieces, one.answer.given
        limit = self.limits.seconds + max(0.0, one.seconds - _SHARE * self.limits.seconds)
        return {
            "name": one.task.name,
            "pieces": [(piece.label, piece.source) for piece in pieces],
            "given": None if one.answer.inside else (given.label, given.source),
            "seed": one.expected.seed,
            "seconds": one.seconds,
            "limit": limit,
        }

    def _row(self, one: _Waiting, told: Told, found: submission.Submission) -> Row:
        task = one.task
        if told.message is None:
            state, words = in_words(told.ended, self.limits)
            return row_of(task, state, words, seconds=told.seconds)
        failed = told.message.get("failed")
        failed = failed if isinstance(failed, dict) else None
        if told.message.get("answer") is None:
            line = failed.get("line") if failed else None
            words = f"{line}" if line else f"No `{task.name}` is defined in its cell, nor handed to its check."
            row = row_of(task, "raised" if line else "wrong", words, seconds=told.seconds)
        else:
            verdict = verdict_on(
                one.exercise, one.written, told.message, seconds=one.seconds, expected=one.expected
            )
            row = verdict_row(task, verdict, one.exercise, seconds=told.seconds)
        return row if row.passed else explained(row, one.answer, told.message, found)


def _wider(one: _Waiting) -> _Waiting:
    """Return an answer with all that may have altered what it uses."""
    answer = replace(one.answer, pieces=one.answer.wider, wider=())
    return replace(one, answer=answer, written=answer_in(answer.pieces, answer.given))


def _notes(found: submission.Submission) -> Iterator[str]:
    if found.unknown:
        names = ", ".join(found.unknown)
        yield f"Made from another version of the chapter, whose exercises {names} this one does not have."
    elif not found.current:
        yield "Made from another version of the chapter."
