"""Questions of chapter 05: the five steps, a fair measurement, three curves, when to stop, which loop is broken."""

from course_utils.exercises.training import answers, questions
from lessonkit.checks.exercise import Exercise

train_step = Exercise.of(questions.train_step, answers.train_step)
measure = Exercise.of(questions.measure, answers.measure)
choices = Exercise.of(questions.choices, answers.choices)
stop_epoch = Exercise.of(questions.stop_epoch, answers.stop_epoch)
diagnose = Exercise.of(questions.diagnose, answers.diagnose)
