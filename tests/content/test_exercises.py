"""Every exercise of every chapter: its reference passes, its mistakes are explained, its mutants are refused.

What was tried is counted and left in build/counts.json for the report of `make test`. A mistake is run once on each
of three seeds, and what it gives also tells it from the others; a mutant is judged on one of three. With
COURSE_SOAK=1, as a workflow does every week, a mistake is judged on ten seeds and a mutant on three, nothing kept.
"""

import json

import pytest
from content import ANSWERS, BANK, BY_SLUG, EQUIVALENT, EXERCISES
from faults import SOAK, many
from test_pinned_messages import PINS

from course_utils import PROJECT
from lessonkit.notebook.reader import load
from lessonkit.review import bank, exercises, mistakes, mutants

MISTAKES = [(name, mistake) for name, exercise in EXERCISES.items() for mistake in exercise.mistakes]
SEEDS = range(1, 1 + many(len(mistakes.SEEDS), 10))
each_exercise = pytest.mark.parametrize("name", EXERCISES)


@each_exercise
def test_the_exercise_is_complete(name):
    assert list(exercises.complete(EXERCISES[name])) == []


@each_exercise
def test_the_reference_passes_and_in_time(name):
    assert list(exercises.reference(EXERCISES[name], range(1, 1 + many(3, 5)))) == []


@each_exercise
def test_cheap_answers_are_refused(name, judging):
    assert list(exercises.cheap(EXERCISES[name], judging)) == []


@pytest.mark.parametrize(("name", "mistake"), MISTAKES, ids=[f"{n}-{m.__name__}" for n, m in MISTAKES])
def test_the_mistake_is_refused_with_its_own_explanation(name, mistake, judging):
    assert list(mistakes.explained(EXERCISES[name], mistake, judging=judging, seeds=SEEDS)) == []


@each_exercise
def test_an_input_tells_each_mistake_from_its_neighbours(name, judging):
    assert list(mistakes.told_apart(EXERCISES[name], judging)) == []


@each_exercise
def test_the_mutants_are_refused(name, judging):
    listed = EQUIVALENT.get(name, {})
    assert list(mutants.refused(EXERCISES[name], listed, judging=judging, thorough=SOAK)) == []


@each_exercise
def test_the_notebook_asks_it_once_and_the_statement_gives_nothing_away(name):
    chapter = BY_SLUG.get(name.partition(".")[0])
    assert chapter, f"there is no notebook for the questions of {name.partition('.')[0]}"
    nb = load(chapter.path)
    assert list(exercises.asked(name, nb)) == []
    shown = bank.statement(name, EXERCISES[name], nb=nb)
    assert list(bank.given_away(shown, EXERCISES[name])) == []


def test_every_list_of_equivalent_mutants_has_its_reasons():
    assert (ANSWERS / "equivalent_mutants.toml").exists()
    assert list(mutants.reasons(EQUIVALENT, set(EXERCISES))) == []


def test_what_was_tried_is_counted():
    """Not only a count: a series without exercises, mistakes, mutants or a bank is a broken suite."""
    counts = {
        "exercises": len(EXERCISES),
        "mistakes": len(MISTAKES),
        "mutants": sum(len(mutants.mutants(exercise.reference)) for exercise in EXERCISES.values()),
        "bank answers (wrong)": len(bank.of_kind(BANK, "wrong")),
        "bank answers (right)": len(bank.of_kind(BANK, "right")),
        "pinned messages": len(PINS),
    }
    assert all(counts.values()), counts
    (PROJECT / "build").mkdir(exist_ok=True)
    (PROJECT / "build" / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
