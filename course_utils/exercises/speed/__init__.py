"""Questions of chapter 09: a fair timer, a batch in parts, a profile, a scaled step, a mended loop."""

from course_utils.exercises.speed import answers, questions
from lessonkit.checks.exercise import Exercise

Machine = questions.Machine  # a cell of the chapter uses it
fair_ratio = Exercise.of(questions.fair_ratio, answers.fair_ratio)
accumulate = Exercise.of(questions.accumulate, answers.accumulate)
most_gained = Exercise.of(questions.most_gained, answers.most_gained)
scaled_step = Exercise.of(questions.scaled_step, answers.scaled_step)
mended = Exercise.of(questions.mended, answers.mended)
