"""Build gradebook rows from verdicts, multiple-choice answers and unreadable files."""

import ast
import dataclasses
from dataclasses import dataclass, field

from lessonkit.checks.answer import explanation
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.multiple_choice import judge as judge_letter
from lessonkit.checks.verdict import STATES, Verdict
from lessonkit.notebook.catalog import Chapter, find_question
from lessonkit.teach.room import submission
from lessonkit.teach.room.static_answer import value_of
from lessonkit.teach.room.submission import Answer, Task

# Beside the states of a check: a process that was ended or ended itself, an exercise without a cell, a file that is
# no notebook, and what is no fault of the learner's: one of the course, a process that did not start, a machine out
# of memory. The next `course grade` tries these again, so an answer whose submission had used up its time is none
# of them: it is "too slow". "not judged here" is an answer that needs what this machine lacks (see not_here.py).
ROW_STATES = (*STATES, "ended", "missing", "unreadable", "not judged", "not judged here")
_LONGEST = 4000  # characters of a message


@dataclass(frozen=True, kw_only=True)
class Row:
    """One exercise of one submission. `mistake`: the name of the known one, or the letter chosen.

    `note`: what is to be known of the answer besides, such as that another one was found.
    """

    exercise: str
    state: str
    message: str
    further: bool = False
    mistake: str = ""
    seconds: float = 0.0
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "passed"

    @property
    def counts(self) -> bool:
        """Whether it is passed or failed; what this machine could not judge is neither."""
        return self.state not in ("not judged", "not judged here")


@dataclass(frozen=True, kw_only=True)
class Graded:
    """One submission, graded. `file`: its path from the folder on; `notes`: what is to be known of it besides.

    `code`: exercise -> what the learner wrote for it. `also`: the same file as another chapter's, where it holds
    several. `own`: a digest of the answers' text, by which the same text in two hand-ins is found; empty for too
    little of it. `settled` looks at all submissions and says of each: `counts`, whether it counts in totals;
    `flags`, further notes.
    """

    learner: str
    file: str
    sha256: str
    chapter: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = field(default_factory=tuple)
    seconds: float = 0.0
    code: dict[str, str] = field(default_factory=dict)
    also: tuple["Graded", ...] = ()
    own: str = ""
    counts: bool = True
    flags: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        """How many exercises are right."""
        return sum(row.passed for row in self.rows)

    @property
    def counted(self) -> int:
        """How many exercises are passed or failed; the others could not be judged here."""
        return sum(row.counts for row in self.rows)

    def to_json(self) -> dict[str, object]:
        """Return it as values that JSON has."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, entry: dict) -> "Graded":
        """Return what `to_json` made `entry` of. Raises TypeError or KeyError for what it did not make."""
        rows = tuple(Row(**row) for row in entry["rows"])
        also = tuple(cls.from_json(one) for one in entry.get("also", ()))
        texts = {key: tuple(entry.get(key, ())) for key in ("notes", "flags")}
        return cls(**entry | {"rows": rows, "also": also} | texts)


def letter_row(task: Task, answer: Answer) -> Row:
    """Judge the letter that a question was answered with."""
    question = find_question(task.name)
    given = ast.parse(answer.given.source, mode="eval").body if answer.given else ast.Constant("?")
    value = value_of(given, answer.pieces)
    verdict = judge_letter(task.name, question, value if isinstance(value, str) or value in (None, ...) else "?")
    mistake = value if verdict.state == "known mistake" else ""
    message = verdict.message if verdict.state != "not attempted" else "Not attempted."
    return row_of(task, verdict.state, message, mistake=mistake)


def verdict_row(task: Task, verdict: Verdict, exercise: Exercise, *, seconds: float = 0.0) -> Row:
    """Return the row of a verdict, with the name of the known mistake."""
    message, mistake = verdict.message, ""
    if verdict.state == "known mistake":
        explained = {explanation(one): one.__name__ for one in exercise.mistakes}
        mistake = explained.get(message, "")
    if verdict.state == "not attempted":
        message = "Not attempted."
    return row_of(task, verdict.state, message, mistake=mistake, seconds=seconds)


def row_of(task: Task, state: str, message: str, *, mistake: str = "", seconds: float = 0.0) -> Row:
    """Return a row of a task; a message that is too long is cut."""
    further, seconds = task.further, round(seconds, 2)
    message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
    return Row(exercise=task.name, state=state, message=message, mistake=mistake, further=further, seconds=seconds)


def unreadable_rows(chapter: Chapter | None, why: str) -> tuple[Row, ...]:
    """Return the rows of a file that cannot be read: one for each task, where the chapter is known."""
    message = f"{why[0].upper()}{why[1:]}."
    if chapter is None:
        return (Row(exercise="", state="unreadable", message=message),)
    return tuple(row_of(task, "unreadable", message) for task in submission.tasks(chapter))
