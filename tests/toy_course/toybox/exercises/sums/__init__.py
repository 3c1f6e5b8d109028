"""Questions of chapter 00: totals so far, the widest gap."""

from lessonkit.checks.exercise import Exercise
from toybox.exercises.sums import answers, questions

totals = Exercise.of(questions.totals, answers.totals)
widest_gap = Exercise.of(questions.widest_gap, answers.widest_gap)
