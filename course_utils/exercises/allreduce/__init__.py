"""Questions of chapter 11: chunks, a whole ring, buckets, an honest replica, where the tree stops winning."""

from course_utils.exercises.allreduce import answers, questions
from lessonkit.checks.exercise import Exercise

honest = Exercise.of(questions.honest, answers.honest)
chunk_bounds = Exercise.of(questions.chunk_bounds, answers.chunk_bounds)
ring = Exercise.of(questions.ring, answers.ring)
buckets = Exercise.of(questions.buckets, answers.buckets)
crossover = Exercise.of(questions.crossover, answers.crossover)
