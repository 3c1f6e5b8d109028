"""Check that the inputs tell each known mistake from the right answer and from the other mistakes.

An explanation is shown to every answer whose outcomes are those of the mistake on all inputs of a check, whatever
its code says. So two mistakes with two explanations need an input on which they differ, at each of the first seeds.
Evidence is thin where a mistake differs from the right answer in nothing but errors, Nones, a True or a False, or a
phrase of the probe: many different slips come to the same there, and the explanation must be true of all of them.
All of it is read from one run of the reference and of each mistake on each seed (`Judging.expected`).
"""

import itertools
from collections.abc import Callable, Iterator, Sequence

import torch

from lessonkit.checks.answer import explanation
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.judge import makes, unlike
from lessonkit.checks.outcomes import Outcome
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import Finding, error, warning
from lessonkit.review.exercises import handed_in

SEEDS = (1, 2, 3)


def explained(
    exercise: Exercise, mistake: Callable, *, judging: Judging, seeds: Sequence[int] = SEEDS
) -> Iterator[Finding]:
    """Yield where a known mistake, handed in as an answer, is not met with its own explanation."""
    for seed in seeds:
        verdict = judging.verdict(exercise, handed_in(exercise, mistake), seed)
        if (verdict.state, verdict.message) != ("known mistake", explanation(mistake)):
            yield error(
                f"the mistake {mistake.__name__} is not met with its own explanation on seed {seed}: "
                f"{verdict.state}, {verdict.message!r}"
            )


def told_apart(exercise: Exercise, judging: Judging, *, seeds: Sequence[int] = SEEDS) -> Iterator[Finding]:
    """Yield mistakes that no input of a seed tells from the right answer or from another explanation."""
    for seed in seeds:
        expected = judging.expected(exercise, seed)
        right = expected.known(exercise.reference)
        for mistake in exercise.mistakes:
            found = expected.known(mistake)
            if len(found) != len(right):
                yield error(f"seed {seed}: {mistake.__name__} ran out of time or of inputs after {len(found)}")
            elif not differing(exercise, found, right):
                yield error(f"seed {seed}: no input tells {mistake.__name__} from the right answer")
        for one, other in itertools.combinations(exercise.mistakes, 2):
            same = makes(exercise, expected.known(one), expected.known(other), right)
            if same and explanation(one) != explanation(other):
                yield error(f"seed {seed}: no input tells {one.__name__} from {other.__name__}")


def differing(exercise: Exercise, found: list[Outcome], right: list[Outcome]) -> list[int]:
    """Return the places of the inputs whose outcome is not the right one."""
    return [i for i, two in enumerate(zip(found, right, strict=True)) if unlike(exercise, *two)]


def thin(exercise: Exercise, judging: Judging) -> Iterator[Finding]:
    """Yield, as advice, the mistakes that are known by errors, Nones, truth values and phrases alone."""
    if exercise.inputs is None:
        return
    expected = judging.expected(exercise, SEEDS[0])
    right = expected.known(exercise.reference)
    for mistake in exercise.mistakes:
        found = expected.known(mistake)
        if len(found) != len(right):  # told_apart says so
            continue
        places = differing(exercise, found, right)
        leaves = [leaf for i in places for leaf in _leaves(found[i], right[i])]
        if all(leaf is None or isinstance(leaf, (bool, str, type)) for leaf in leaves):
            words = sorted({getattr(leaf, "__name__", str(leaf))[:40] for leaf in leaves})
            yield warning(
                f"the mistake {mistake.__name__} is known by thin evidence: {', '.join(words)} on "
                f"{len(places)} of {len(right)} inputs; its explanation must be true of every answer that does this"
            )


def _leaves(found, right):
    """Return what an outcome holds where it is not the right one."""
    if found.error is not None:
        return [type(found.error)]
    return [*_unlike(found.value, right.value)] or [True]


def _unlike(found, right):
    if isinstance(found, dict) and isinstance(right, dict):
        for key in found.keys() & right.keys():
            yield from _unlike(found[key], right[key])
    elif isinstance(found, (list, tuple)) and isinstance(right, (list, tuple)) and len(found) == len(right):
        for one, other in zip(found, right, strict=True):
            yield from _unlike(one, other)
    elif isinstance(found, torch.Tensor) and isinstance(right, torch.Tensor):
        if found.shape != right.shape or not torch.equal(found, right):
            yield found
    elif type(found) is not type(right) or found != right:
        yield found
