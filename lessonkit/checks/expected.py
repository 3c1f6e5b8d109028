"""Compute what is expected of an answer: the outcomes of the reference and of the known mistakes."""

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


class Expected:
    """The outcomes of an exercise's reference and of its mistakes, on the inputs of one seed.

    Each outcome is computed when it is first needed, and cached. A check makes its own `Expected` and asks for
    outcomes only after the answer has run, so an answer that searches memory for the expected values finds none.
    Code that judges many answers to one exercise may share one `Expected`, and gives up this protection.
    """

    def __init__(self, exercise: "Exercise", seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self._guesses: dict[Callable, Iterator[Outcome]] = {}

    @cached_property
    def wanted(self) -> list[Outcome]:
        """The outcomes of the reference."""
        return self.outcomes(self.exercise.reference)

    def guess(self, mistake: Callable) -> Iterator[Outcome]:
        """Return the outcomes of a mistake, each computed on demand: the first one rules most mistakes out."""
        if mistake not in self._guesses:
            (self._guesses[mistake],) = itertools.tee(self._one_by_one(mistake), 1)
        return copy.copy(self._guesses[mistake])

    def patience(self) -> float:
        """Return how many seconds an answer gets: SLOWER times what the reference needs, at least SECONDS.

        The reference is run to measure this, and its outcomes are dropped: an answer that runs next finds none.
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
        """Run a reference or a known mistake on every input, without the cache."""
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
