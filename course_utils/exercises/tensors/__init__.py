"""Questions of chapter 01: memory, there and back, windows, means of groups, rows made alike, neighbours."""

from course_utils.exercises.tensors import answers, questions
from lessonkit.checks.exercise import Exercise

bytes_of = Exercise.of(questions.bytes_of, answers.bytes_of)
survives = Exercise.of(questions.survives, answers.survives)
windows = Exercise.of(questions.windows, answers.windows)
group_means = Exercise.of(questions.group_means, answers.group_means)
standardise = Exercise.of(questions.standardise, answers.standardise)
nearest = Exercise.of(questions.nearest, answers.nearest)
