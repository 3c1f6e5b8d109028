"""The prerequisites self-test: its key is what Python prints, and it needs nothing but Python."""

import ast
import contextlib
import importlib.util
import io
import subprocess
import sys

import pytest

from course_utils import PROJECT

PATH = PROJECT / "scripts" / "self_test.py"
SPEC = importlib.util.spec_from_file_location("self_test", PATH)
TEST = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TEST)


def run(*arguments, text=""):
    command = [sys.executable, "-I", "-S", str(PATH), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("number", range(1, 11))
def test_the_key_is_what_python_prints(number):
    _, code, expected, why = TEST.QUESTIONS[number - 1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().strip() == expected and why.endswith(".") and len(TEST.QUESTIONS) == 10


@pytest.mark.parametrize(
    ("answers", "right", "said"),
    [
        ([one[2] for one in TEST.QUESTIONS], 10, "You know the Python that the course needs."),
        ([one[2] for one in TEST.QUESTIONS[:8]] + ["", "?"], 8, "You know the Python that the course needs."),
        ([one[2] for one in TEST.QUESTIONS[:5]] + [""] * 5, 5, "You know most of what the course needs."),
        ([""] * 10, 0, "Take a first course in Python before this one"),
    ],
    ids=["all", "eight", "five", "none"],
)
def test_it_says_how_somebody_stands(answers, right, said):
    ran = run(text="\n".join(answers) + "\n")
    assert ran.returncode == 0 and f"{right} of 10 are right. {said}" in ran.stdout


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("[20,30]", True),
        (" [ 20, 30 ] ", True),
        ("'[20, 30]'", True),
        ("[20 30]", True),
        ("[20, 30,]", True),
        ("“[20, 30]”", True),
        ("20, 30", False),
        ("[2030]", False),
        ("[20, 30, 40]", False),
        ("[30, 20]", False),
        ("", False),
    ],
)
def test_spaces_commas_and_quotation_marks_do_not_matter(given, right):
    assert TEST.same(given, "[20, 30]") == right


@pytest.mark.parametrize(
    ("given", "expected", "right"),
    [
        ("IndexError", "caught: IndexError", True),
        ("caught IndexError", "caught: IndexError", True),
        ("'caught: IndexError'", "caught: IndexError", True),
        ("caught:", "caught: IndexError", False),
        ("caught: KeyError", "caught: IndexError", False),
        ("bob, carol", "bob carol", True),
        ('"bob" "carol"', "bob carol", True),
        ("carol bob", "bob carol", False),
        ("9, 8", "9 8", True),
        ("98", "9 8", False),
        ("20", "2 0", False),
        ("(2, 0)", "2 0", False),
        ("28,False", "28 False", True),
        ("28 True", "28 False", False),
        ("none", "None", True),
        ("", "None", False),
    ],
)
def test_an_answer_that_is_clear_counts_and_another_one_does_not(given, expected, right):
    assert TEST.same(given, expected) == right


@pytest.mark.parametrize("right", range(11))
def test_what_is_said_is_for_oneself(right):
    assert "instructor" not in TEST.advice(right)


def test_the_key_is_printed_and_an_end_in_the_middle_is_no_traceback():
    key = run("--key")
    assert key.returncode == 0 and all(f"It prints {one[2]}." in key.stdout for one in TEST.QUESTIONS)
    stopped = run(text="bob carol\n")
    assert stopped.returncode == 1 and "Stopped." in stopped.stderr and "Traceback" not in stopped.stderr
    assert "--key" in run("--help").stderr


def test_it_imports_nothing_that_has_to_be_installed_and_old_python_reads_it():
    tree = ast.parse(PATH.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported == {"re", "sys"} and not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
