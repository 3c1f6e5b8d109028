"""Questions of chapter 12: a loss that refuses to broadcast, which mistake left a log, who sleeps, seeds, a NaN."""

from course_utils.exercises.clinic import answers, questions
from lessonkit.checks.exercise import Exercise

mended_loss = Exercise.of(questions.mended_loss, answers.mended_loss)
which_mistake = Exercise.of(questions.which_mistake, answers.which_mistake)
asleep = Exercise.of(questions.asleep, answers.asleep)
first_nan = Exercise.of(questions.first_nan, answers.first_nan)
reseed = Exercise.of(questions.reseed, answers.reseed)
