"""The observers that are notified after each verdict and each hint.

An installed package registers one under the entry point `lessonkit.listeners`. lessonkit registers two: one notes
progress, one reports to a classroom's page where the learner has joined it. They are loaded at the first verdict.
One that cannot be loaded, or that raises, is named once on standard error, and the learner still gets the verdict.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Literal

from lessonkit.checks.verdict import Note, Verdict

GROUP = "lessonkit.listeners"  # the entry points of listeners
Kind = Literal["check", "question", "hint", "solution"]
Listener = Callable[[object, Verdict | Note, float, Kind], None]


@cache
def registered() -> tuple[Listener, ...]:
    """Return one listener of each kind that can be loaded."""
    found = []
    for one in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        try:
            found.append(one.load()())
        except Exception as error:  # noqa: BLE001 - any package may register one, and importing it may do anything
            _tell_once(f"The listener {one.name} ({one.value}) cannot be loaded: {type(error).__name__}: {error}")
    return tuple(found)


def notify(subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> None:
    """Notify every listener of the verdict or note on an Exercise or a multiple-choice question; never raises.

    `seconds`: how long making it took.
    """
    for listener in registered():
        try:
            listener(subject, said, seconds, kind)
        except Exception as error:  # noqa: BLE001 - of a package that we do not know; said, and the verdict stays
            _tell_once(f"The listener {type(listener).__name__} has failed: {type(error).__name__}: {error}")


@cache
def _tell_once(sentence: str) -> None:
    print(f"{sentence}. The verdict is not affected.", file=sys.stderr)
