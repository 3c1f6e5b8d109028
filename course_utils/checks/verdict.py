"""What a check says: one of six states and a sentence, for a notebook and for plain text."""

import html
import re
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

State = Literal["passed", "not attempted", "raised", "too slow", "known mistake", "wrong"]
STATES: tuple[str, ...] = get_args(State)
MIME = "application/vnd.course.verdict+json"
_SIGNS = {"passed": "✓", "not attempted": "○"}
_COLORS = {"passed": "#2a9d4e", "not attempted": "#8a8a8a", "known mistake": "#d98200"}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check.

    `state` is one of STATES, `message` what the learner reads, `printed` what the answer itself printed.
    """

    exercise: str
    state: State
    message: str
    printed: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "passed"

    def __str__(self) -> str:
        text = f"{_SIGNS.get(self.state, '✗')} {self.exercise}: {self.message}"
        return text + (f"\nYour code printed:\n{self.printed}" if self.printed else "")

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {
            "text/plain": str(self),
            "text/html": _box(str(self), _COLORS.get(self.state, "#c8352b")),
            MIME: {"exercise": self.exercise, "state": self.state},
        }


@dataclass(frozen=True)
class Note:
    """A hint or a solution: text in a notebook's output, and the same text elsewhere."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {"text/plain": self.text, "text/html": _box(self.text, "#3b7dc4")}


def not_judged(error: BaseException) -> str:
    """Say that an answer cannot even be looked at; names our own line, in case the fault is there."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"This answer cannot be judged: {type(error).__name__} as it was looked at "
        f"(line {last.lineno} of {last.filename}). Does it override `__repr__`, `__str__` or `__class__`?"
    )


def _box(text, color):
    # No background: the text keeps the page's own colours, so it is legible on light and dark themes alike.
    words = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    style = f"border-left: 4px solid {color}; padding: 0.3em 0.8em; white-space: pre-wrap"
    return f'<div style="{style}">{words}</div>'
