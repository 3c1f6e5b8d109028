"""The observers that are notified after each verdict and each hint.

An installed package registers one under the entry point `lessonkit.listeners`. lessonkit registers two: one notes
progress, one reports to a classroom's page where the learner has joined it. They are loaded at the first verdict.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Literal

from lessonkit.checks.verdict import Note, Verdict

Kind = Literal["check", "question", "hint", "solution"]
Listener = Callable[[object, Verdict | Note, float, Kind], None]


@cache
def registered() -> tuple[Listener, ...]:
    """Return one listener of each kind. A listener never raises, so the learner always gets the verdict."""
    return tuple(
        one.load()() for one in sorted(entry_points(group="lessonkit.listeners"), key=lambda one: one.name)
    )


def notify(subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> None:
    """Notify every listener of the verdict or note on an Exercise or a multiple-choice question.

    `seconds`: how long making it took.
    """
    for listener in registered():
        listener(subject, said, seconds, kind)
