"""What the page knows beforehand is what a learner would read: for every exercise, every mistake."""

import importlib
import inspect

import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.progress.contents import contents
from lessonkit.teach.classroom.questions import explanations, questions

CHAPTERS = contents()


@pytest.mark.parametrize("one", CHAPTERS, ids=lambda one: one.chapter.name)
def test_the_explanations_are_those_of_the_exercises(one):
    module = importlib.import_module(f"course_utils.exercises.{one.chapter.slug}")
    there = {name: value for name, value in vars(module).items() if isinstance(value, Exercise)}
    expected = {
        exercise.name: {
            mistake.__name__: " ".join(inspect.getdoc(mistake).split()) for mistake in exercise.mistakes
        }
        for exercise in there.values()
    }
    assert explanations(one.chapter.slug) == expected


def test_every_task_of_the_chapters_is_a_question_with_mistakes():
    found = questions(CHAPTERS)
    assert len(found) == sum(len(one.tasks) for one in CHAPTERS)
    assert [one for one in found if not one.mistakes] == []
    [case] = [one for one in found if one.exercise == "case 1"]
    assert set(case.mistakes) < set("abcdef") and all(case.mistakes.values())


def test_a_chapter_without_exercises_has_none():
    assert explanations("of_somebody_s_own") == {}
