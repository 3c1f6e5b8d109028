"""What is the machine's is not the learner's: such an answer is "not judged here", with the reason."""

import sys
from importlib.metadata import version

import pytest
from graded_here import graded, of_cells
from nbformat.v4 import new_output
from test_answers_found import CHECK, INK, row_of

from lessonkit.teach.room.not_here import is_newer, reason, trouble_of
from lessonkit.teach.room.overrides import Overrides
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.tally import tally

CALLED = {"cell": "", "python": "", "passed_there": False}
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def with_(text):
    return f"{INK.replace('return', f'{text}; return')}\n{CHECK}"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["import no_such_package as p", with_("p.f()")], "`no_such_package`: no package of that name"),
        ([with_("import my_helpers")], "`my_helpers`"),
        ([with_("from torch.no_such_part import f")], "`torch.no_such_part`"),
        ([INK.replace("images /", "images.cuda() /") + f"\n{CHECK}"], "device that this machine does not have"),
        ([INK.replace("images /", "images.to('cuda:0') /") + f"\n{CHECK}"], "device that this machine"),
        ([INK.replace("images /", "images.to('mps') /") + f"\n{CHECK}"], "device that this machine"),
        (["k = torch.tensor(255.0, device='xpu')", INK.replace("255", "k") + f"\n{CHECK}"], "device that this"),
        (["k = float(open('factor.txt').read())", INK.replace("255", "k") + f"\n{CHECK}"], "`FileNotFoundError"),
        (
            ["import urllib.request\nk = urllib.request.urlopen('http://127.0.0.1:9/').read()", with_("k")],
            "needs the network",
        ),
        (["from google.colab import files\nk = files.upload()", with_("k")], "only Google Colab has"),
    ],
)
def test_what_this_machine_lacks_is_not_the_learners(tmp_path, cells, said):
    row = row_of(tmp_path, *cells)
    assert row.state == "not judged here" and said in row.message and not row.counts


@pytest.mark.parametrize(
    "source",
    [
        'def ink(images):\n    return f"{\'a\' + f"{1}"}" and (images / 255).mean(dim=(1, 2))',
        f"type Pictures = list\n{INK}",
        f"def first[T](x: T) -> T:\n    return x\n{INK}",
    ],
)
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
def test_syntax_of_a_newer_python_is_not_judged_here_and_both_versions_are_said(tmp_path, source):
    row = row_of(tmp_path, f"{source}\n{CHECK}", python="3.13.2")
    assert row.state == "not judged here" and "Python 3.13.2" in row.message and f"Python {HERE}" in row.message
    assert row_of(tmp_path, f"{source}\n{CHECK}", python=f"{HERE}.0").state == "raised"
    assert row_of(tmp_path, f"{source}\n{CHECK}").state == "raised"


def test_versions_are_compared_as_numbers():
    assert (
        is_newer("3.100.1") and not is_newer("3.9.20") and not is_newer("") and not is_newer(sys.version.split()[0])
    )


def test_a_library_of_a_newer_python_and_a_name_of_a_newer_torch():
    lacks = {"name": "AttributeError", "words": "module 'itertools' has no attribute 'batched_more'"}
    assert "3.99.1" in reason(lacks, cell="", python="3.99.1", passed_there=False)
    assert reason(lacks, **CALLED) == ""
    newer = {"name": "AttributeError", "words": "module 'torch' has no attribute 'unscale'"}
    assert reason(newer, **CALLED) == ""
    assert f"torch {version('torch')}" in reason(newer, cell="", python="", passed_there=True)


def test_a_name_that_torch_lacks_is_an_error_that_names_the_version_unless_the_check_passed_there(tmp_path):
    source = INK.replace("images / 255", "torch.unscale(images)") + f"\n{CHECK}"
    row = row_of(tmp_path, source)
    assert row.state == "raised" and "This machine has torch 2." in row.message
    notebook = of_cells(source)
    notebook.cells[-1].outputs = [new_output("execute_result", {"text/plain": "✓ ink: Right for 15 inputs."})]
    (row,) = [row for row in graded(notebook, tmp_path).rows if row.exercise == "ink"]
    assert row.state == "not judged here" and "its version is likely another one" in row.message


def test_a_wrong_answer_whose_stored_output_says_passed_is_wrong_and_says_so(tmp_path):
    notebook = of_cells(f"def ink(images):\n    return images\n\n{CHECK}")
    verdict = {"application/vnd.course.verdict+json": {"exercise": "ink", "state": "passed"}, "text/plain": "x"}
    notebook.cells[-1].outputs = [new_output("execute_result", verdict)]
    (row,) = [row for row in graded(notebook, tmp_path).rows if row.exercise == "ink"]
    assert row.state == "wrong" and "its check passed there" in row.note


@pytest.mark.parametrize(
    "error",
    [
        {"name": "NameError", "words": "name 'toch' is not defined"},
        {"name": "FileNotFoundError", "words": "[Errno 2] No such file or directory: 'x'"},
        {"name": "RuntimeError", "words": "stack expects a non-empty TensorList"},
        {"name": "ModuleNotFoundError", "words": "No module named 'course_utils.exercises.nets.answers'"},
        {"name": "AttributeError", "words": "'Tensor' object has no attribute 'rescale'"},
    ],
    ids=lambda error: error["name"],
)
def test_an_error_of_the_answer_stays_the_learners(error):
    assert reason(error, **CALLED) == ""


def test_an_error_in_a_cell_of_the_course_is_the_courses():
    error = {"name": "ValueError", "words": "what"}
    assert "Cell 44 of the chapter" in reason(error, cell="cell 44 of the chapter", python="", passed_there=False)
    assert reason(error, cell="cell 44", python="", passed_there=False) == ""


def test_code_of_the_course_is_never_called_theirs(tmp_path):
    """`accuracy` is the chapter's; what it raises, it raises over what the answer hands to it."""
    row = row_of(tmp_path, f"{INK.replace('(images / 255)', 'accuracy(images)')}\n{CHECK}")
    assert row.state == "raised" and "accuracy(images)" in row.message and "weights).argmax" not in row.message


def test_a_mark_of_a_merge_is_named():
    trouble = trouble_of(SyntaxError("x"), "cell 3", "a = 1\n<<<<<<< HEAD\nb = 2\n=======\n", "")
    assert trouble.state == "raised" and "cell 3, line 2" in trouble.words and "merge" in trouble.words


def test_it_counts_as_neither_passed_nor_failed():
    rows = tuple(Row(exercise=one, state=one, message="m") for one in ("passed", "wrong", "not judged here"))
    graded_one = Graded(learner="ana", file="a", sha256="", chapter="00_start_here", rows=rows)
    assert (graded_one.passed, graded_one.counted) == (1, 2)
    [standing] = tally([graded_one], overrides=Overrides({})).standings
    assert (standing.points, standing.possible) == (1, 2)
