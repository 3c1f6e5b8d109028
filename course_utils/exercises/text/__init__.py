"""Questions of chapter 13: all windows of a text, a mask of any shape, heads, one letter with a cache, top-p."""

from course_utils.exercises.text import answers, questions
from lessonkit.checks.exercise import Exercise

windows = Exercise.of(questions.windows, answers.windows)
causal_mask = Exercise.of(questions.causal_mask, answers.causal_mask)
over_heads = Exercise.of(questions.over_heads, answers.over_heads)
step = Exercise.of(questions.step, answers.step)
top_p = Exercise.of(questions.top_p, answers.top_p)
