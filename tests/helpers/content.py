"""The content of the course, read once for all the tests that judge it."""

from course_utils import PROJECT
from lessonkit.notebook.catalog import find
from lessonkit.review.bank import read_bank
from lessonkit.review.exercises import questions
from lessonkit.review.mutants import read_equivalent
from lessonkit.system.course import course

ANSWERS = PROJECT / "answers"
CHAPTERS = find()
BY_SLUG = {chapter.slug: chapter for chapter in CHAPTERS}
EXERCISES = questions(course().exercises)
BANK = read_bank(ANSWERS, EXERCISES)
EQUIVALENT = read_equivalent(ANSWERS)


def answers(name):
    """The bank's answers to the exercise "chapter.name"."""
    return [one for one in BANK if one.exercise == name]
