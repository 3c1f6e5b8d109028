"""What code of ours, the reference and the mistakes, gives on the inputs that an answer gets."""

import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from course_utils.checks.behaviour import Outcome, made, observe, outcomes_of
from course_utils.checks.isolation import isolated
from course_utils.checks.time_limit import SECONDS, SLOWER

if TYPE_CHECKING:
    from course_utils.checks.exercise import Exercise


def driven(exercise: "Exercise", function: Callable) -> Callable:
    """Return the call that drives a function of an exercise's, an answer or one of ours."""

    def call(*arguments):
        value = exercise.probe(function, *arguments)
        return (value, *arguments) if exercise.in_place else value

    return call


class Ours:
    """The outcomes of our functions on the inputs of one seed; asked only when the answer has ended."""

    def __init__(self, exercise: "Exercise", seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self.inputs = exercise.inputs or (lambda seed: [()])

    @cached_property
    def before(self) -> list[tuple]:
        """What their arguments are compared with afterwards, made once: an answer never comes near it."""
        with isolated(self.seed):
            return made(self.inputs, self.seed)

    def outcomes(self, function: Callable) -> list[Outcome]:
        """Return the outcomes of a reference or a mistake."""
        before = self.before
        with isolated(self.seed):
            return observe(driven(self.exercise, function), self.inputs, self.seed, before=before)[0]

    def guess(self, mistake: Callable) -> Iterator[Outcome]:
        """Yield the outcomes of a mistake, each when it is asked for: most are told by the first."""
        before = self.before
        with isolated(self.seed):
            outcomes = outcomes_of(driven(self.exercise, mistake), self.inputs, self.seed, before=before)
        while True:
            with isolated(self.seed):  # not while somebody compares
                if (outcome := next(outcomes, None)) is None:
                    return
            yield outcome


def patience(exercise: "Exercise", seed: int) -> float:
    """Return how many seconds an answer gets: SLOWER times what the reference needs, at least SECONDS.

    A reference that once needed a quarter of that, or less, is not timed again: SECONDS it is.
    """
    if exercise.is_quick:
        return SECONDS
    for _ in range(2):  # what is imported or started at a first call is not an answer's fault
        start = time.perf_counter()
        Ours(exercise, seed).outcomes(exercise.reference)
        seconds = SLOWER * (time.perf_counter() - start)
        if seconds <= SECONDS:
            exercise.is_quick = seconds <= SECONDS / 4
            return SECONDS
    return seconds
