"""What chapter 01 asks: how often each word occurs. A submission that is graded sees this file."""

import random

from lessonkit.checks.question import Question


def count_words_inputs(seed):
    """Texts: the example first, an empty one, one word in many spellings, a long one with odd spaces."""
    chance = random.Random(seed)
    words = [chance.choice(["to", "be", "Or", "not", "To", "BE"]) for _ in range(30)]
    return [("To be or not to be",), ("",), ("Word word WORD",), (" \n ".join(words),)]


count_words = Question("count_words", inputs=count_words_inputs)
