"""The verdict of a check: one of six states and a message, shown as plain text or as HTML in a notebook."""

import traceback
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from lessonkit.checks.verdict_html import note_box, sign_of, verdict_box

State = Literal["passed", "not attempted", "raised", "too slow", "known mistake", "wrong"]
STATES: tuple[str, ...] = get_args(State)
MIME = "application/vnd.course.verdict+json"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check.

    `state` is one of STATES, `message` what the learner reads, `printed` what the answer itself printed.
    `hints` and `solution`, the source of our answer, unfold in HTML; the text has nothing of them.
    """

    exercise: str
    state: State
    message: str
    printed: str = ""
    hints: tuple[str, ...] = ()
    solution: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "passed"

    def __str__(self) -> str:
        text = f"{sign_of(self.state)} {self.exercise}: {self.message}"
        return text + (f"\nYour code printed:\n{self.printed}" if self.printed else "")

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {
            "text/plain": str(self),
            "text/html": verdict_box(self),
            MIME: {"exercise": self.exercise, "state": self.state},
        }


@dataclass(frozen=True)
class Note:
    """A hint or a solution: text in a notebook's output, and the same text elsewhere. `code`: it is Python."""

    text: str
    code: bool = False

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {"text/plain": self.text, "text/html": note_box(self)}


def not_judged(error: BaseException) -> str:
    """Say that an answer cannot even be looked at; names our own line, in case the fault is there."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"This answer cannot be judged: the check raised {type(error).__name__} when it read it "
        f"(line {last.lineno} of {last.filename}). Does it override `__repr__`, `__str__` or `__class__`?"
    )
