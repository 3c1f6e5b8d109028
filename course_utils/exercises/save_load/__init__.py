"""Questions of chapter 06: weights that fit in part, a run's whole state, a file replaced safely, a format read."""

from course_utils.exercises.save_load import answers, questions
from lessonkit.checks.exercise import Exercise

DTYPES = questions.DTYPES  # a cell of the chapter uses it
load_what_fits = Exercise.of(questions.load_what_fits, answers.load_what_fits)
Bookmark = Exercise.of(questions.Bookmark, answers.Bookmark)
tensors_of = Exercise.of(questions.tensors_of, answers.tensors_of)
replace_file = Exercise.of(questions.replace_file, answers.replace_file)
