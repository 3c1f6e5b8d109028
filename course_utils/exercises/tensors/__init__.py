"""Questions of chapter 01: memory, windows, rows made alike, means of groups, there and back, neighbours."""

from course_utils.exercises.tensors import answers, questions
from lessonkit.checks.exercise import Exercise

bytes_of = Exercise.of(questions.bytes_of, answers.bytes_of)
windows = Exercise.of(questions.windows, answers.windows)
standardise = Exercise.of(questions.standardise, answers.standardise)
group_means = Exercise.of(questions.group_means, answers.group_means)
survives = Exercise.of(questions.survives, answers.survives)
nearest = Exercise.of(questions.nearest, answers.nearest)
