"""Judge the letter that a learner gives as the answer to a multiple-choice question."""

from collections.abc import Mapping
from typing import Protocol

from lessonkit.checks.verdict import Verdict


class Option(Protocol):
    """One of the options, with the explanation for a learner who chooses it."""

    text: str
    why: str


class Question(Protocol):
    """What is asked. `options`: letter -> Option; `answer`: the right letter. `number`: its place, or 0.

    `id`: a name that may give the answer away. Asked by number, it is shown only with the right answer.
    """

    id: str
    number: int
    question: str
    options: Mapping[str, Option]
    answer: str


def judge(name: str, question: Question, answer: object) -> Verdict:
    """Return the verdict on `answer` to a question that was asked for by `name`; never raises for an answer.

    Without an answer (None or ...) it is "not attempted" and shows the question with its options. A wrong letter is
    a "known mistake", anything else "wrong". No listener is notified.
    """
    if answer is None or answer is ...:
        lines = [f"{letter}  {option.text}" for letter, option in question.options.items()]
        return Verdict(name, "not attempted", "\n".join([question.question, *lines]))
    letter = answer.strip().lower() if isinstance(answer, str) else None
    if letter not in question.options:
        expected = ", ".join(question.options)
        return Verdict(name, "wrong", f"Found {answer!r}, expected one of {expected}, as a string.")
    why = question.options[letter].why
    if letter != question.answer:
        return Verdict(name, "known mistake", why)
    return Verdict(name, "passed", why if name == question.id else f"{why} In the index: `{question.id}`.")
