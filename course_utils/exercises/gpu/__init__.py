"""Questions of chapter 08: a nested batch, an honest clock, bytes, the GPU behind a number, an idle GPU."""

from course_utils.exercises.gpu import answers, questions
from lessonkit.checks.exercise import Exercise

move_to = Exercise.of(questions.move_to, answers.move_to)
honest_seconds = Exercise.of(questions.honest_seconds, answers.honest_seconds)
training_bytes = Exercise.of(questions.training_bytes, answers.training_bytes)
gpu_behind = Exercise.of(questions.gpu_behind, answers.gpu_behind)
idle_share = Exercise.of(questions.idle_share, answers.idle_share)
