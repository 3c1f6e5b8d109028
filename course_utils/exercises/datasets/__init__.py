"""Questions of chapter 03: a data set with its packing, a split by speaker, statistics, a shared stream."""

from course_utils.exercises.datasets import answers, questions
from lessonkit.checks.exercise import Exercise

Clips = Exercise.of(questions.Clips, answers.Clips)
split_by = Exercise.of(questions.split_by, answers.split_by)
channel_stats = Exercise.of(questions.channel_stats, answers.channel_stats)
own_share = Exercise.of(questions.own_share, answers.own_share)
