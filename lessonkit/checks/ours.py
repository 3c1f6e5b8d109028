"""What the course's own reference and known mistakes give, to compare an answer with."""

import copy
import itertools
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from lessonkit.checks.isolation import isolated
from lessonkit.checks.outcomes import Outcome, driven, no_inputs, observe, outcomes_of
from lessonkit.checks.time_limit import SECONDS, SLOWER

if TYPE_CHECKING:
    from lessonkit.checks.exercise import Exercise


class Ours:
    """The outcomes of an exercise's reference and of its mistakes, on the inputs of one seed.

    Each is made when it is first asked for, and kept. A check makes its own `Ours` and asks it for outcomes only
    when the answer has run: an answer that looks for what is expected finds nothing. Whoever judges many answers to
    one exercise may hand the same one in each time, and gives that up.
    """

    def __init__(self, exercise: "Exercise", seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self._guesses: dict[Callable, Iterator[Outcome]] = {}

    @cached_property
    def wanted(self) -> list[Outcome]:
        """The outcomes of the reference."""
        return self.outcomes(self.exercise.reference)

    def guess(self, mistake: Callable) -> Iterator[Outcome]:
        """Return the outcomes of a mistake, each made when it is first asked for: most are told by the first."""
        if mistake not in self._guesses:
            (self._guesses[mistake],) = itertools.tee(self._one_by_one(mistake), 1)
        return copy.copy(self._guesses[mistake])

    def patience(self) -> float:
        """Return how many seconds an answer gets: SLOWER times what the reference needs, at least SECONDS.

        The reference is run for that, and what it gives is not kept: an answer that runs next finds nothing.
        """
        return self._patience

    @cached_property
    def _patience(self):
        if self.exercise.inputs is None:  # a value is there already
            return SECONDS
        for _ in range(2):  # what is imported or started at a first call is not an answer's fault
            start = time.perf_counter()
            self.outcomes(self.exercise.reference)
            seconds = SLOWER * (time.perf_counter() - start)
            if seconds <= SECONDS:
                return SECONDS
        return seconds

    def outcomes(self, function: Callable) -> list[Outcome]:
        """Run a reference or mistake of ours on every input, anew."""
        with isolated(self.seed):
            return observe(driven(self.exercise, function), self.exercise.inputs or no_inputs, self.seed)[0]

    def _one_by_one(self, mistake):
        with isolated(self.seed):
            outcomes = outcomes_of(driven(self.exercise, mistake), self.exercise.inputs or no_inputs, self.seed)
        while True:
            with isolated(self.seed):  # not while somebody compares
                if (outcome := next(outcomes, None)) is None:
                    return
            yield outcome
