"""What chapter 00 asks: totals so far, the widest gap. A submission that is graded sees this file."""

import random

from lessonkit.checks.question import Question


def totals_inputs(seed):
    """Lists of whole numbers: the example first, none at all, one alone, a long one."""
    chance = random.Random(seed)
    return [([3, 1, 4],), ([],), ([chance.randint(-9, 9)],), ([chance.randint(-99, 99) for _ in range(20)],)]


totals = Question("totals", inputs=totals_inputs)


def widest_gap_inputs(seed):
    """Lists of two numbers or more: the example first, two that are equal, falling ones, a long one."""
    chance = random.Random(seed)
    falling = sorted((chance.randint(-99, 99) for _ in range(6)), reverse=True)
    return [([1, 4, 2, 3],), ([5, 5],), (falling,), ([chance.randint(-99, 99) for _ in range(20)],)]


widest_gap = Question("widest_gap", inputs=widest_gap_inputs)
