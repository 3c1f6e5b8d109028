"""Questions of chapter 10: a sampler's indices, accuracy over ranks, uneven shares, one BatchNorm of many."""

from course_utils.exercises.multi_gpu import answers, questions
from lessonkit.checks.exercise import Exercise

rank_indices = Exercise.of(questions.rank_indices, answers.rank_indices)
Accuracy = Exercise.of(questions.Accuracy, answers.Accuracy)
mean_gradient = Exercise.of(questions.mean_gradient, answers.mean_gradient)
sync_statistics = Exercise.of(questions.sync_statistics, answers.sync_statistics)
