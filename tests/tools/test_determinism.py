"""Two runs of a notebook compared: every text, what is left out, and how far numbers lie apart."""

import os

import determinism
import nbformat
import pytest
import toys
from nbformat.v4 import new_output
from toys import code, notebook


def printed(source, *outputs, tags=()):
    cell = code(source, *tags)
    cell.outputs = [output if not isinstance(output, str) else said(output) for output in outputs]
    return cell


def said(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def compared(old, new):
    return determinism.compare(notebook(*old), notebook(*new))


def test_equal_texts_are_counted_and_those_with_a_tag_left_out():
    cells = [printed("a", "1.0\n"), printed("b", "2\n", tags=["nbval-ignore-output"])]
    other = [printed("a", "1.", "0\n"), printed("b", "3\n", tags=["nbval-ignore-output"])]
    assert compared(cells, other) == determinism.Compared(1, 1, [])


def test_numbers_that_differ_are_measured_and_the_first_line_is_shown():
    old = [printed("train()", "epoch 1\nloss 0.500, 20 of 100\n")]
    new = [printed("train()", "epoch 1\nloss 0.400, 20 of 100\n")]
    (found,) = compared(old, new).differences
    assert found[:2] == ("cell 1: train()", "stdout") and found.largest == pytest.approx(0.2)
    assert (found.stored, found.found) == ("loss 0.500, 20 of 100", "loss 0.400, 20 of 100")


@pytest.mark.parametrize(
    ("one", "other", "size"),
    [
        ("-1.5e-3", "−1.5e-3", 0.0),
        ("1,000 samples", "2,000 samples", 0.5),
        ("loss 0", "loss 1e-9", 1.0),
        ("loss nan", "loss 0.5", None),
        ("1 2", "1", None),
        ("tensor([1., 2.])", "tensor([1., 4.])", 0.5),
        ("cuda:0 of bf16", "cuda:0 of bf17", None),
    ],
)
def test_how_far_two_texts_lie_apart(one, other, size):
    assert determinism.largest(one, other) == (pytest.approx(size) if size is not None else None)


def test_results_errors_and_standard_error_are_texts_too():
    result = new_output("execute_result", data={"text/plain": "1", "image/png": "x"}, execution_count=1)
    raised = new_output("error", ename="ValueError", evalue="\x1b[31mno\x1b[0m", traceback=["where"])
    cell = printed("x", result, raised, said("careful", "stderr"))
    assert determinism.texts(cell) == {"text/plain": "1\n", "error": "ValueError: no\n", "stderr": "careful"}
    missing = compared([cell], [printed("x", result)]).differences
    assert [one.output for one in missing] == ["error", "stderr"] and {one.largest for one in missing} == {None}


def test_our_answer_within_a_verdict_is_not_compared():
    folded = '<p>Right.</p><details class="course-answer">def f(): ...</details>'
    shown = new_output("execute_result", data={"text/html": folded}, execution_count=1)
    bare = new_output("execute_result", data={"text/html": "<p>Right.</p>"}, execution_count=1)
    assert compared([printed("x", bare)], [printed("x", shown)]).differences == []


def test_notebooks_of_other_code_are_not_compared():
    with pytest.raises(ValueError, match="not hold the same code"):
        compared([printed("a")], [printed("b")])


def test_the_summary_counts_lists_and_bounds():
    one = determinism.Difference("cell 3: f()", "stdout", 0.01, "1.00", "1.01")
    two = determinism.Difference("cell 4: g()", "stdout", None, "yes", "no")
    found = {
        "00_a": determinism.Compared(20, 3, [one]),
        "01_b": determinism.Compared(10, 0, [two]),
        "02_c": "cell 1: it broke",
    }
    line, lines = determinism.summary(found)
    assert line == (
        "2 of 3 chapters, 30 cells compared, 3 left out by their tag, 2 outputs differ, "
        "numbers by at most 0.01 relative, 1 in more than numbers"
    )
    assert lines == [
        "02_c: cell 1: it broke",
        "00_a, cell 3: f(), stdout: 0.01 relative: '1.00' is stored, '1.01' was found",
        "01_b, cell 4: g(), stdout: more than numbers: 'yes' is stored, 'no' was found",
    ]
    assert determinism.beyond(found, 1.0)
    numbers = {"00_a": found["00_a"]}
    assert determinism.beyond(numbers, 0.001) and not determinism.beyond(numbers, 0.01)
    assert determinism.as_json(numbers)["00_a"]["differences"][0]["largest"] == 0.01


def test_a_way_is_run_and_reaches_the_kernel(tmp_path):
    """One thread: what the kernel says of it is another text than the one stored, and the list names it."""
    before = os.environ.get("ATEN_CPU_CAPABILITY")
    asks = 'import os\nprint(os.environ["OMP_NUM_THREADS"], os.environ["ATEN_CPU_CAPABILITY"])'
    book = notebook(printed(asks, "2 default\n"), printed('print("same")', "same\n"))
    books = toys.write(tmp_path / "books", _00_a=book)
    found = determinism.run("imitated", notebooks=books, out=tmp_path / "out")
    (difference,) = found["00_a"].differences
    assert found["00_a"].cells == 2
    assert difference[1:] == ("stdout", pytest.approx(0.5), "2 default", "1 default")
    assert nbformat.read(books / "00_a.ipynb", 4).cells[0].outputs[0].text == "2 default\n", (
        "stored text was changed"
    )
    assert os.environ.get("ATEN_CPU_CAPABILITY") == before
