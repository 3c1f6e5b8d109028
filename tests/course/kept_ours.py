"""Checks that keep what our references and mistakes give while many answers to one exercise are judged.

Beside the answer a check runs the reference twice and a mistake or two, each time anew: three fifths of the time
that judging the bank took. Here only the answers vary. What is lost: an answer that misleads a reference which runs
after it meets one that ran before (test_cheating.py has such answers). With COURSE_SOAK=1, as CI does
every week, nothing is kept.
"""

from functools import lru_cache

from faults import SOAK

from lessonkit.checks.judge import judged
from lessonkit.checks.ours import Ours

_SEEDS = 3  # as many are kept as one exercise's answers are judged on; those of the exercises before are dropped


@lru_cache(maxsize=_SEEDS)
def _kept(exercise, seed):
    return Ours(exercise, seed)


def check(exercise, answer, seed):
    """Judge an answer as `exercise.check(answer, seed=seed)` does; nobody is told of it."""
    return judged(exercise, answer, ours=Ours(exercise, seed) if SOAK else _kept(exercise, seed))
