"""Who is told of each verdict and hint, once it is made; nobody, until somebody joins the list."""

from collections.abc import Callable
from typing import Literal

from course_utils.checks.verdict import Note, Verdict

Kind = Literal["check", "question", "hint", "solution"]
Listener = Callable[[object, Verdict | Note, float, Kind], None]

LISTENERS: list[Listener] = []  # a listener never raises: the learner is to get the verdict


def tell(subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> None:
    """Tell every listener what was said of an Exercise, or of a Case's question, and how many seconds it took."""
    for listener in LISTENERS:
        listener(subject, said, seconds, kind)
