"""Say why an answer that ran did not pass: the learner's own error, or something that this machine lacks."""

from dataclasses import replace

from lessonkit.teach.room.not_here import LOOK, reason, version_note
from lessonkit.teach.room.rows import Row
from lessonkit.teach.room.submission import Answer, Submission
from lessonkit.teach.room.verdicts import UNSEEN


def explained(row: Row, answer: Answer, message: dict, found: Submission) -> Row:
    """Return the row of an answer that did not pass, as what it is: not judged here, or the learner's error.

    `message`: what its process told, of which nothing is believed but words.
    """
    if UNSEEN in row.message:
        words = "The values are right. Whether it does what the task forbids cannot be seen in its text."
        return replace(row, state="not judged here", message=f"{words} {LOOK}")
    failed = message.get("failed")
    if isinstance(failed, dict):
        pieces = [*answer.pieces, answer.given]
        number = failed.get("piece")
        inside = isinstance(number, int) and -len(pieces) <= number < len(pieces)
        errors = [(failed, pieces[number].label if inside and pieces else answer.cell)]
    elif row.state == "raised":
        outcomes = message.get("outcomes")
        errors = [(one.get("error"), "") for one in outcomes or () if isinstance(one, dict)]
        errors = [(error, cell) for error, cell in errors if isinstance(error, dict)]
    else:
        return row
    for error, cell in errors:
        there = row.exercise in found.passed_there
        if why := reason(error, cell=cell, python=found.python, passed_there=there):
            return replace(row, state="not judged here", message=why)
    error, cell = errors[0] if errors else ({}, "")
    words = [str(error.get("line", ""))[:1000] if cell else row.message, version_note(error)]
    return replace(row, state="raised", message=" ".join(filter(None, words)))
