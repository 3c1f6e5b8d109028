"""A question as it stands where submissions run: it takes an answer and keeps it, and knows nothing else."""

import itertools
from collections.abc import Callable

NOTHING = object()


class Kept:
    """What a check or a hint gives there: a sentence."""

    passed = False
    state = "not judged"

    def __init__(self, message: str) -> None:
        self.message = message

    def __repr__(self) -> str:
        return self.message


def call(answer: Callable, *arguments: object) -> object:
    """Call the answer with the arguments."""
    return answer(*arguments)


class Exercise:
    """The stand-in of a `lessonkit.checks.exercise.Exercise`; `answer`: what was last given to `check`."""

    def __init__(
        self,
        name: str,
        *,
        inputs: Callable[[int], list[tuple]] | None = None,
        probe: Callable = call,
        in_place: bool = False,
    ) -> None:
        self.name, self.inputs, self.probe, self.in_place = name, inputs, probe, in_place
        self.answer = NOTHING
        self._hint_numbers = itertools.count(1)

    def check(self, answer: object, *, seed: int | None = None) -> Kept:
        """Keep the answer; it is judged elsewhere."""
        self.answer = answer
        return Kept(f"{self.name}: judged when the cell has run.")

    def hint(self) -> Kept:
        """Say that there are none here."""
        return Kept("No hints here.")

    def solution(self) -> Kept:
        """Say that there is none here."""
        return Kept("No answer of ours here.")

    def example(self, seed: int = 0, case: int = 0) -> tuple:
        """Return the arguments of input number `case` of that seed."""
        return self.inputs(seed)[case]

    @property
    def reference(self) -> Callable:
        """Raise: there is none here."""
        raise AttributeError(f"the reference of {self.name} is not in this process")
