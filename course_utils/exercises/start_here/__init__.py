"""Questions of chapter 00: a dtype, a scale, the accuracy for each digit, a mean, a batch of while loops."""

import importlib
import sys

from course_utils.exercises.start_here import answers, questions
from lessonkit.checks.exercise import Exercise

half_dtype = Exercise.of(questions.half_dtype, answers.half_dtype)
to_unit = Exercise.of(questions.to_unit, answers.to_unit)
hit_rates = Exercise.of(questions.hit_rates, answers.hit_rates)
ink = Exercise.of(questions.ink, answers.ink)
halvings = Exercise.of(questions.halvings, answers.halvings)


def begin():
    """Make the exercises again, as in a new kernel: their hints and inputs begin with the first ones."""
    importlib.reload(sys.modules[__name__])
