"""Questions of chapter 07: what moved, two groups of parameters, frozen and quiet, a low-rank update."""

from course_utils.exercises.finetune import answers, questions
from lessonkit.checks.exercise import Exercise

moved = Exercise.of(questions.moved, answers.moved)
parameter_groups = Exercise.of(questions.parameter_groups, answers.parameter_groups)
freeze = Exercise.of(questions.freeze, answers.freeze)
QVLoRA = Exercise.of(questions.QVLoRA, answers.QVLoRA)
