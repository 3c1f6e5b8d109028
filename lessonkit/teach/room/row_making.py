"""Rows made of verdicts, of letters, and of what is no notebook."""

import ast
import inspect

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.letters import judge as judge_letter
from lessonkit.checks.verdict import Verdict
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.letters import find_question
from lessonkit.teach.room import submission
from lessonkit.teach.room.rows import Row
from lessonkit.teach.room.submission import Answer, Task
from lessonkit.teach.room.written import value_of

_LONGEST = 4000  # characters of a message


def letter_row(task: Task, answer: Answer) -> Row:
    """Judge the letter that stands in a question's cell."""
    question = find_question(task.name)
    value = None
    for piece in answer.pieces:
        for node in ast.walk(ast.parse(piece.source)):
            match node:
                case ast.Call(func=ast.Name(id="ask"), args=[ast.Constant(value=name), given]) if name == task.name:
                    value = value_of(given, answer.pieces)
    verdict = judge_letter(task.name, question, value if isinstance(value, str) or value in (None, ...) else "?")
    mistake = value if verdict.state == "known mistake" else ""
    message = verdict.message if verdict.state != "not attempted" else "Not attempted."
    return row_of(task, verdict.state, message, mistake=mistake)


def verdict_row(task: Task, verdict: Verdict, exercise: Exercise, *, seconds: float = 0.0) -> Row:
    """Return the row of a verdict, with the name of the known mistake."""
    message, mistake = verdict.message, ""
    if verdict.state == "known mistake":
        explained = {" ".join(inspect.getdoc(one).split()): one.__name__ for one in exercise.mistakes}
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
