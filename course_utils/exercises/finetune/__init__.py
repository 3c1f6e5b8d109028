"""Questions of chapter 07: frozen and quiet, a low-rank update, what moved, two groups of parameters."""

from course_utils.exercises.finetune import answers, questions
from lessonkit.checks.exercise import Exercise

freeze = Exercise.of(questions.freeze, answers.freeze)
QVLoRA = Exercise.of(questions.QVLoRA, answers.QVLoRA)
moved = Exercise.of(questions.moved, answers.moved)
parameter_groups = Exercise.of(questions.parameter_groups, answers.parameter_groups)
