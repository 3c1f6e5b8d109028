"""Questions of chapter 04: a chain of layers, a picture's size, a loss to mend, cross-entropy, attention."""

from course_utils.exercises.nets import answers, questions
from lessonkit.checks.exercise import Exercise

MLP = Exercise.of(questions.MLP, answers.MLP)
conv_size = Exercise.of(questions.conv_size, answers.conv_size)
paired_mse = Exercise.of(questions.paired_mse, answers.paired_mse)
cross_entropy = Exercise.of(questions.cross_entropy, answers.cross_entropy)
grouped_attention = Exercise.of(questions.grouped_attention, answers.grouped_attention)
