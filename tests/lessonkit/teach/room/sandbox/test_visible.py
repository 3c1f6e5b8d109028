"""The course as a submission sees it: the questions work, and no answer of ours is in it."""

import ast
import importlib
import inspect
import subprocess
import sys

import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.notebook.catalog import find
from lessonkit.system.course import Course, course, package_folder
from lessonkit.system.errors import Refused
from lessonkit.teach.room.sandbox import visible

CHAPTERS = [chapter.slug for chapter in find()]

PROGRAM = """
import importlib, json, sys
from lessonkit.checks.question import Question
found = {}
for slug in sys.argv[1:]:
    module = importlib.import_module(f"course_utils.exercises.{slug}")
    assert "/course/" in module.__file__.replace(chr(92), "/"), module.__file__
    for question in vars(module).values():
        if isinstance(question, Question):
            found[question.name] = len(question.inputs(3)) if question.inputs else 0
print(json.dumps(found))
"""


def questions(slug):
    module = importlib.import_module(f"course_utils.exercises.{slug}")
    return [one for one in vars(module).values() if isinstance(one, Exercise)]


def test_every_question_gives_its_inputs_there(tree):
    env = {"PYTHONPATH": str(tree), "PATH": "", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-c", PROGRAM, *CHAPTERS]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, done.stderr
    found = ast.literal_eval(done.stdout.strip())
    wanted = {one.name: len(one.inputs(3)) if one.inputs else 0 for slug in CHAPTERS for one in questions(slug)}
    assert found == wanted


@pytest.mark.parametrize("slug", CHAPTERS)
def test_no_reference_and_no_mistake_is_in_it(tree, slug):
    text = (tree / "course_utils" / "exercises" / slug / "questions.py").read_text(encoding="utf-8")
    whole = "\n".join(path.read_text(encoding="utf-8") for path in (tree / "course_utils").rglob("*.py"))
    defined = {node.name for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for one in questions(slug):
        secret = [one.reference, *one.mistakes]
        assert not defined & {function.__name__ for function in secret}
        for function in secret:
            doc = inspect.getdoc(function)
            assert not doc or doc.splitlines()[0] not in whole, f"{one.name}: {function.__name__}"
        assert not any(hint in whole for hint in one.hints)


@pytest.mark.parametrize("slug", CHAPTERS)
def test_questions_import_no_answers(slug):
    path = package_folder(course().package) / "exercises" / slug / "questions.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            assert "answers" not in ast.unparse(node).replace(".", " ").split(), f"{slug}: line {node.lineno}"


def test_nothing_that_tells_answers_lies_beside_it(tree):
    names = {path.name for path in tree.rglob("*") if path.is_file()}
    assert not names & {"answers.py", "cases.toml", "patterns.toml"}
    assert not list(tree.rglob("*.ipynb")) and not (tree / "tests").exists() and not (tree / "answers").exists()
    shown = {path.name for path in tree.iterdir()} - {"__pycache__"}
    assert shown == {"course.toml", "course_utils", "data", "lessonkit"}
    engine = {path.name for path in (tree / "lessonkit").iterdir()} - {"__pycache__"}
    assert engine == {"__init__.py", "checks", "system", "teach"}


@pytest.mark.parametrize("one", ["sums.py", "sums/__init__.py"])
def test_questions_in_one_file_with_their_answers_are_refused(tmp_path, one):
    (tmp_path / "exercises").mkdir()
    for name in ("__init__.py", one):
        (tmp_path / "exercises" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "exercises" / name).write_text("", encoding="utf-8")
    with pytest.raises(Refused, match=f"^{one} in exercises holds questions and answers in one file"):
        visible._show_questions(tmp_path / "exercises")


def test_answers_in_a_folder_of_their_own_are_not_shown_either(tmp_path, monkeypatch):
    package = tmp_path / "toy"
    for name in ("sums/questions.py", "sums/answers/__init__.py", "sums/answers/hard.py"):
        (package / "exercises" / name).parent.mkdir(parents=True, exist_ok=True)
        (package / "exercises" / name).write_text("total = 1\n", encoding="utf-8")
    found = {"toy": package, "lessonkit": package_folder("lessonkit")}
    monkeypatch.setattr(visible, "package_folder", found.get)
    monkeypatch.setattr(visible, "course", lambda: Course(package="toy", exercises="toy.exercises"))
    shown = visible.make_tree(tmp_path / "course") / "toy" / "exercises" / "sums"
    assert sorted(path.name for path in shown.iterdir()) == ["__init__.py", "questions.py"]
