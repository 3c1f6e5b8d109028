"""Questions of chapter 02: two paths, gradients in pieces; the way back of an engine, a broadcast, a product."""

from course_utils.exercises.autograd import answers, questions
from lessonkit.checks.exercise import Exercise

two_gradients = Exercise.of(questions.two_gradients, answers.two_gradients)
gradient_in_pieces = Exercise.of(questions.gradient_in_pieces, answers.gradient_in_pieces)
backward = Exercise.of(questions.backward, answers.backward)
sum_to = Exercise.of(questions.sum_to, answers.sum_to)
matmul_backward = Exercise.of(questions.matmul_backward, answers.matmul_backward)
