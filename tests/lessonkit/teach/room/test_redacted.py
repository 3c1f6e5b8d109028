"""The course as a submission sees it: the questions work, and no answer of ours is in it."""

import ast
import importlib
import inspect
import subprocess
import sys

import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.notebook.catalog import find
from lessonkit.teach.room.redacted import Revealing, redact

CHAPTERS = [chapter.slug for chapter in find()]

PROGRAM = """
import importlib, json, sys
from lessonkit.teach.room.question import Exercise
found = {}
for slug in sys.argv[1:]:
    module = importlib.import_module(f"course_utils.exercises.{slug}")
    assert "/course/" in module.__file__.replace(chr(92), "/"), module.__file__
    for question in vars(module).values():
        if isinstance(question, Exercise):
            found[question.name] = len(question.inputs(3)) if question.inputs else 0
print(json.dumps(found))
"""


def questions(slug):
    module = importlib.import_module(f"course_utils.exercises.{slug}")
    return [one for one in vars(module).values() if isinstance(one, Exercise)]


def test_every_question_gives_its_inputs_there(tree):
    env = {"PYTHONPATH": str(tree), "PATH": "", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", "-c", PROGRAM, *CHAPTERS]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, done.stderr
    found = ast.literal_eval(done.stdout.strip())
    wanted = {one.name: len(one.inputs(3)) if one.inputs else 0 for slug in CHAPTERS for one in questions(slug)}
    assert found == wanted


@pytest.mark.parametrize("slug", CHAPTERS)
def test_no_reference_and_no_mistake_is_in_it(tree, slug):
    text = (tree / "course_utils" / "exercises" / f"{slug}.py").read_text(encoding="utf-8")
    whole = "\n".join(path.read_text(encoding="utf-8") for path in (tree / "course_utils").rglob("*.py"))
    defined = {node.name for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for one in questions(slug):
        secret = [one.reference, *one.mistakes]
        assert not defined & {function.__name__ for function in secret}
        for function in secret:
            doc = inspect.getdoc(function)
            assert not doc or doc.splitlines()[0] not in whole, f"{one.name}: {function.__name__}"
        assert not any(hint in whole for hint in one.hints)


def test_nothing_that_tells_answers_lies_beside_it(tree):
    names = {path.name for path in tree.rglob("*") if path.is_file()}
    assert not names & {"cases.toml", "patterns.toml", "solutions.py~", "explanations.json"}
    assert not list(tree.rglob("*.ipynb")) and not (tree / "tests").exists()
    assert {path.name for path in (tree / "lessonkit" / "teach" / "room").glob("*.py")} >= {
        "inside.py",
        "question.py",
    }


SOURCE = """
from lessonkit.checks.exercise import Exercise

def double(x):
    "Ours."
    return 2 * x

def halved(x):
    "You halved it."
    return x / 2

def sizes(seed):
    return [({used}(seed),)]

def helper(x):
    double = x
    return double

double = Exercise(double, inputs=sizes, mistakes=(halved,), hints=("Twice.",))
"""


def test_inputs_that_use_an_answer_are_seen():
    for secret in ("double", "halved"):
        with pytest.raises(Revealing, match=f"the inputs or the probe of double use {secret}, an answer"):
            redact(SOURCE.format(used=secret), "toy")


def test_a_local_variable_may_be_called_as_an_exercise_is():
    text = redact(SOURCE.format(used="helper"), "toy")
    assert "def helper" in text and "def sizes" in text
    assert not any(words in text for words in ("Ours", "halved", "Twice", "def double"))
    assert "double = Exercise('double', inputs=sizes)" in text
