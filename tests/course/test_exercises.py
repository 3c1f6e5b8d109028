"""Every exercise of every chapter: its reference passes, its mistakes are explained, its mutants are refused.

What was tried is counted and left in build/counts.json for the report of `make test`. A mistake is judged here on
one seed's inputs, and as recorded text on those of others (test_explanations.py); with COURSE_SOAK=1, as a workflow
does every week, on those of ten seeds.
"""

import ast
import inspect
import json
import textwrap
import time
import tomllib
from pathlib import Path

import nbformat
import pytest
import torch
from answer_bank import counts as bank_counts
from explanations import anonymous, exercises, rebuild
from faults import SOAK, many
from kept_ours import check
from mutants import mutants
from test_pinned_messages import PINS

from course_utils import PROJECT

EQUIVALENT = tomllib.loads((Path(__file__).parent / "equivalent_mutants.toml").read_text(encoding="utf-8"))
EXERCISES = exercises()
MISTAKES = [(name, mistake) for name, exercise in EXERCISES.items() for mistake in exercise.mistakes]
SEEDS = range(1, 1 + many(1, 10))
each_exercise = pytest.mark.parametrize("name", EXERCISES)


@each_exercise
def test_the_reference_passes_and_in_time(name):
    copy = rebuild(name, anonymous(EXERCISES[name].reference))  # as a learner's: of a notebook, not of this module
    seconds = []
    for seed in range(1, 1 + many(3, 5)):  # fresh inputs at each
        start = time.perf_counter()
        verdict = EXERCISES[name].check(_answer(name, copy), seed=seed)
        seconds.append(time.perf_counter() - start)
        assert verdict.passed, verdict
    assert min(seconds) < 2  # the first may import for seconds, and any may wait for other programs


@pytest.mark.parametrize(("name", "mistake"), MISTAKES, ids=[f"{n}-{m.__name__}" for n, m in MISTAKES])
def test_the_mistake_is_refused_with_its_own_explanation(name, mistake):
    for seed in SEEDS:
        verdict = check(EXERCISES[name], _answer(name, mistake), seed)
        assert verdict.state == "known mistake", verdict
        assert verdict.message == " ".join(mistake.__doc__.split())


@each_exercise
def test_the_mutants_are_refused(name):
    exercise, allowed = EXERCISES[name], EQUIVALENT.get(name, {})
    slipped, tried = [], mutants(exercise.reference)
    assert len(tried) >= (2 if exercise.inputs else 1), (
        f"too little in {name} to mutate: is the reference more than a call?"
    )
    for number, (description, mutant) in enumerate(tried):
        try:
            answer = _answer(name, mutant)
        except Exception:  # noqa: BLE001 - a value exercise whose mutant raises has no value to hand in
            continue
        seeds = range(1, 4) if SOAK else [1 + number % 3]
        if any(check(exercise, answer, seed).passed for seed in seeds):
            slipped.append(description)
    assert sorted(set(slipped)) == sorted(allowed), "accepted mutants, against those listed as equivalent"


@each_exercise
def test_the_exercise_is_complete(name):
    exercise = EXERCISES[name]
    assert len(exercise.mistakes) >= 2, "at least two mistakes that people really make"
    assert len(exercise.hints) >= 2, "at least two hints, in steps"
    assert len({mistake.__doc__ for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert all(mistake.__doc__ and len(mistake.__doc__.split()) > 6 for mistake in exercise.mistakes)
    if exercise.inputs:
        assert len(exercise.inputs(0)) >= 3, "several inputs, edge sizes among them"
        assert repr(exercise.inputs(1)) != repr(exercise.inputs(2)), "inputs must be fresh for every seed"


@each_exercise
def test_the_reference_never_calls_itself_by_name(name):
    """In the module that name is the exercise by then: the call raises, and raising became the right answer."""
    reference = EXERCISES[name].reference
    tree = ast.parse(textwrap.dedent(inspect.getsource(reference)))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert reference.__name__ not in used, "give it an inner function that calls itself"


@each_exercise
def test_cheap_answers_are_refused(name):
    exercise = EXERCISES[name]
    cheap = [0, 1, -1, 0.5, "", ()] if exercise.inputs is None else [_first, _zeros, _nothing, _everything_caught]
    for answer in cheap:
        assert not check(exercise, answer, 1).passed, answer


@each_exercise
def test_the_notebook_asks_it_once_with_the_same_signature(name):
    module, question = name.split(".")
    books = [path for path in (PROJECT / "notebooks").glob("*.ipynb") if path.stem.split("_", 1)[1] == module]
    assert len(books) == 1, f"no notebook for the questions of {module}"
    cells = [c for c in nbformat.read(books[0], 4).cells if "exercise" in c.metadata.get("tags", [])]
    asking = [cell for cell in cells if f"ex.{question}.check({question})" in cell.source]
    assert len(asking) == 1


def test_every_list_of_equivalent_mutants_has_its_reasons():
    assert set(EQUIVALENT) <= set(EXERCISES)
    assert all(len(reason.split()) > 3 for mutants_ in EQUIVALENT.values() for reason in mutants_.values())


def test_what_was_tried_is_counted():
    """Not only a count: a series without exercises, mistakes, mutants or a bank is a broken suite."""
    counts = {
        "exercises": len(EXERCISES),
        "mistakes": len(MISTAKES),
        "mutants": sum(len(mutants(exercise.reference)) for exercise in EXERCISES.values()),
        **bank_counts(),
    }
    counts["pinned messages"] = len(PINS)
    assert all(counts.values()), counts
    (PROJECT / "build").mkdir(exist_ok=True)
    (PROJECT / "build" / "counts.json").write_text(json.dumps(counts), encoding="utf-8")


def _answer(name, function):
    """What a learner would hand in: the function itself, or its value where a value is asked for."""
    return function() if EXERCISES[name].inputs is None else function


def _first(*arguments):
    return arguments[0]


def _zeros(*arguments):
    return torch.zeros(2, 3)


def _nothing(*arguments):
    return None if arguments else 0


def _everything_caught(*arguments):
    try:
        return arguments[0].no_such_attribute
    except Exception:  # noqa: BLE001 - the answer that catches everything
        return torch.zeros(())
