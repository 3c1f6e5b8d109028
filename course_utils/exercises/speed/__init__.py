"""Questions of chapter 09: a fair timer, a scaled step, a batch in parts, what a profile promises, and its use."""

from course_utils.exercises.speed import answers, questions
from lessonkit.checks.exercise import Exercise

Machine = questions.Machine  # a cell of the chapter uses it
fair_ratio = Exercise.of(questions.fair_ratio, answers.fair_ratio)
scaled_step = Exercise.of(questions.scaled_step, answers.scaled_step)
accumulate = Exercise.of(questions.accumulate, answers.accumulate)
most_gained = Exercise.of(questions.most_gained, answers.most_gained)
mended = Exercise.of(questions.mended, answers.mended)
