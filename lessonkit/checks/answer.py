"""The course's own answer to a question: its reference, the mistakes that people make, and hints."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass


@dataclass(frozen=True, eq=False)
class Answer:
    """What belongs to one question and must not reach a submission that is graded.

    `reference`: the solution, a function or class whose name and signature the learner's stub has. `mistakes`:
    wrong answers that we expect; the docstring of each is what a learner reads who makes it. `hints`: sentences,
    one more at each call of `hint`.
    """

    reference: Callable
    _: KW_ONLY
    mistakes: Sequence[Callable] = ()
    hints: Sequence[str] = ()


def explanation(mistake: Callable) -> str:
    """Return what a learner reads who makes the mistake, in one line: its own docstring.

    A verdict's message is this text, and by it alone the mistake behind a verdict is found again.
    """
    return " ".join((mistake.__doc__ or "").split())
