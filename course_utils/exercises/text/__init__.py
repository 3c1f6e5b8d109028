"""Questions of chapter 13: all windows of a text, a mask of any shape, one letter with a cache, heads, top-p."""

from course_utils.exercises.text import answers, questions
from lessonkit.checks.exercise import Exercise

windows = Exercise.of(questions.windows, answers.windows)
causal_mask = Exercise.of(questions.causal_mask, answers.causal_mask)
step = Exercise.of(questions.step, answers.step)
over_heads = Exercise.of(questions.over_heads, answers.over_heads)
top_p = Exercise.of(questions.top_p, answers.top_p)
