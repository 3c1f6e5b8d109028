"""Questions of chapter 01: how often each word occurs."""

from lessonkit.checks.exercise import Exercise
from toybox.exercises.words import answers, questions

count_words = Exercise.of(questions.count_words, answers.count_words)
