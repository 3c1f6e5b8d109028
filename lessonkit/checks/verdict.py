"""What a check says: one of six states and a sentence, for a notebook and for plain text."""

import traceback
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from lessonkit.checks import unfold

State = Literal["passed", "not attempted", "raised", "too slow", "known mistake", "wrong"]
STATES: tuple[str, ...] = get_args(State)
MIME = "application/vnd.course.verdict+json"
_SIGNS = {"passed": "✓", "not attempted": "○"}
_COLORS = {"passed": "#2a9d4e", "not attempted": "#8a8a8a", "known mistake": "#d98200"}
_WRONG, _NOTE = "#c8352b", "#3b7dc4"


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

    @property
    def _sign(self) -> str:
        return _SIGNS.get(self.state, "✗")

    def __str__(self) -> str:
        text = f"{self._sign} {self.exercise}: {self.message}"
        return text + (f"\nYour code printed:\n{self.printed}" if self.printed else "")

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {
            "text/plain": str(self),
            "text/html": self._page(),
            MIME: {"exercise": self.exercise, "state": self.state},
        }

    def _page(self) -> str:
        spoken = f"{unfold.sign(self._sign, self.state)} {unfold.words(f'{self.exercise}: {self.message}')}"
        printed = f"<div>Your code printed:</div>{unfold.code(self.printed)}" if self.printed else ""
        ours = unfold.answer(self.solution)
        if self.state == "not attempted" and self.hints:  # first a try of one's own
            ours = f"<div>{unfold.words(f'`ex.{self.exercise}.solution()` shows our answer.')}</div>"
        help_ = ours if self.passed else unfold.staged(self.hints, ours)
        return unfold.box(
            "course-verdict",
            _COLORS.get(self.state, _WRONG),
            unfold.said(spoken) + help_ + printed,  # that may be long
            data_exercise=self.exercise,
            data_state=self.state,
            role="group",
            aria_label=f"{self.exercise}: {self.state}",
        )


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
        content = unfold.code(self.text) if self.code else unfold.said(unfold.words(self.text))
        return {"text/plain": self.text, "text/html": unfold.box("course-note", _NOTE, content)}


def not_judged(error: BaseException) -> str:
    """Say that an answer cannot even be looked at; names our own line, in case the fault is there."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"This answer cannot be judged: {type(error).__name__} as it was looked at "
        f"(line {last.lineno} of {last.filename}). Does it override `__repr__`, `__str__` or `__class__`?"
    )
