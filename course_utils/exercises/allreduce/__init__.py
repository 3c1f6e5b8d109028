"""Questions of chapter 11: a whole ring, buckets, an honest replica, chunks, where the tree stops winning."""

from course_utils.exercises.allreduce import answers, questions
from lessonkit.checks.exercise import Exercise

ring = Exercise.of(questions.ring, answers.ring)
buckets = Exercise.of(questions.buckets, answers.buckets)
honest = Exercise.of(questions.honest, answers.honest)
chunk_bounds = Exercise.of(questions.chunk_bounds, answers.chunk_bounds)
crossover = Exercise.of(questions.crossover, answers.crossover)
