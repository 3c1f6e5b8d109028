"""How well the expected mistakes of an exercise are told apart: from the right answer, and from each other.

    python tests/course/mistakes.py [CHAPTER …]     lists what is not told apart, and what is known by thin evidence

An explanation is shown to every answer whose outcomes are those of the mistake on all inputs of a check, whatever
its code says. So two mistakes with two explanations need an input on which they differ, at each of the first seeds.
Evidence is thin where a mistake differs from the right answer in nothing but errors, Nones, a True or a False, or a
phrase of the probe: many different slips come to the same there, and the explanation must be true of all of them.
"""

import itertools
import sys
from functools import cache

import torch
from explanations import exercises, explanation

from lessonkit.checks.judge import makes, unlike
from lessonkit.checks.ours import Ours

SEEDS = (1, 2, 3)


@cache
def outcomes(name, seed):
    """The outcomes of an exercise's reference and of each of its mistakes, by the function."""
    exercise = exercises()[name]
    ours = Ours(exercise, seed)
    return {function: ours.outcomes(function) for function in (exercise.reference, *exercise.mistakes)}


def alike(name):
    """Pairs (seed, one, other) with different explanations that no input of that seed tells apart."""
    exercise, found = exercises()[name], []
    for seed in SEEDS:
        all_ = outcomes(name, seed)
        right = all_[exercise.reference]
        for mistake in exercise.mistakes:
            if not differing(exercise, all_[mistake], right):
                found.append((seed, mistake.__name__, "the right answer"))
        for one, other in itertools.combinations(exercise.mistakes, 2):
            same = makes(exercise, all_[one], all_[other], right)
            if same and explanation(one) != explanation(other):
                found.append((seed, one.__name__, other.__name__))
    return found


def differing(exercise, found, right):
    """The places of the inputs whose outcome is not the right one."""
    return [i for i, two in enumerate(zip(found, right, strict=True)) if unlike(exercise, *two)]


def thin(name):
    """Mistakes that are known by errors, Nones, truth values and phrases alone: {name: where they differ}."""
    exercise, found = exercises()[name], {}
    if exercise.inputs is None:
        return found
    all_ = outcomes(name, SEEDS[0])
    right = all_[exercise.reference]
    for mistake in exercise.mistakes:
        places = differing(exercise, all_[mistake], right)
        leaves = [leaf for i in places for leaf in _leaves(all_[mistake][i], right[i])]
        if all(leaf is None or isinstance(leaf, (bool, str, type)) for leaf in leaves):
            found[mistake.__name__] = (
                f"{len(places)} of {len(right)} inputs, {sorted({str(x)[:40] for x in leaves})}"
            )
    return found


def _leaves(found, right):
    """What an outcome holds where it is not the right one."""
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


def main():
    chosen = [name for name in exercises() if not sys.argv[1:] or name.split(".")[0] in sys.argv[1:]]
    for name in chosen:
        for seed, one, other in alike(name):
            print(f"{name}: seed {seed}: {one} is not told from {other}")
        for mistake, where in thin(name).items():
            print(f"{name}: thin: {mistake} ({where})")


if __name__ == "__main__":
    main()
