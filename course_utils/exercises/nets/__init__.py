"""Questions of chapter 04: an MLP, a loss to fix, the size of a convolution's output, cross-entropy, attention."""

from course_utils.exercises.nets import answers, questions
from lessonkit.checks.exercise import Exercise

MLP = Exercise.of(questions.MLP, answers.MLP)
paired_mse = Exercise.of(questions.paired_mse, answers.paired_mse)
conv_size = Exercise.of(questions.conv_size, answers.conv_size)
cross_entropy = Exercise.of(questions.cross_entropy, answers.cross_entropy)
grouped_attention = Exercise.of(questions.grouped_attention, answers.grouped_attention)
