"""A chapter that nbval runs twice in one kernel: as it is, then solved."""

import affected
import doubled
import nbformat
import pytest
from toys import code, notebook

from course_utils import PROJECT
from lessonkit.notebook.cells import code_cells, tags

CHAPTERS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))
IMPORT = "import course_utils.exercises.training as ex"
ANSWER = "train_step = ...\n\nex.train_step.check(train_step)"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_second_half_is_the_first_one_solved(path):
    before = code_cells(nbformat.read(path, 4))
    whole = doubled.double(nbformat.read(path, 4), whole=True).cells
    assert [cell.source for cell in whole[: len(before)]] == [cell.source for cell in before]
    assert len({cell.id for cell in whole}) == len(whole) == 2 * len(before)
    for number, (old, new) in enumerate(zip(before, whole[len(before) :], strict=True), 1):
        assert new.outputs == old.outputs
        if asks(old):
            assert "assert (verdict_met_again" in new.source and "your code here" not in new.source
            assert "nbval-ignore-output" in tags(new)
        elif not old.source.startswith("%%"):
            assert new.source == f"{old.source}\n# cell {number}, run a second time in the same kernel"
            assert tags(new) == tags(old)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_answer_and_whatever_it_can_alter_is_run_again(path):
    before = code_cells(nbformat.read(path, 4))
    short = doubled.double(nbformat.read(path, 4)).cells
    all_again = doubled.double(nbformat.read(path, 4), whole=True).cells[len(before) :]
    again = {cell.id: cell.source for cell in short[len(before) :]}
    assert [cell.source for cell in short[: len(before)]] == [cell.source for cell in before]
    assert again.items() <= {cell.id: cell.source for cell in all_again}.items(), (
        "the same cells, in no other words"
    )
    assert {f"{cell.id}-2"[-64:] for cell in before if asks(cell)} <= set(again)


def test_the_asserts_of_a_cell_follow_it_both_times():
    sources = ["a = 1", ANSWER, "b = train_step", "c = a"]
    book = notebook(code(IMPORT), code(sources[0]), code(ANSWER, "exercise"), *map(code, sources[2:]))
    for cell, name in zip(book.cells, ["import", "a", "answer", "b", "c"], strict=True):
        cell.id = name
    cells = doubled.double(book, {"b": "assert b", "c": "assert c == 1"}).cells
    seen = [
        (cell.id, cell.source.splitlines()[-1]) for cell in cells if cell.source.startswith("# asserts after: ")
    ]
    assert seen == [("a-b", "assert b"), ("a-c", "assert c == 1"), ("a-b-2", "assert b")]
    places = {cell.id: place for place, cell in enumerate(cells)}
    assert all(places[name] == places[name.removeprefix("a-")] + 1 for name, _ in seen)
    assert all("nbval-ignore-output" in tags(cells[places[name]]) for name, _ in seen)


def test_what_an_assert_reads_is_made_again_with_its_cell():
    book = notebook(code(IMPORT), code("n = 1"), code(ANSWER, "exercise"), code("b = train_step"))
    for cell, name in zip(book.cells, ["import", "n", "answer", "b"], strict=True):
        cell.id = name
    alone, held = (
        {cell.id for cell in doubled.double(book, beside).cells} for beside in ({}, {"b": "assert b is n"})
    )
    assert "n-2" not in alone and "n-2" in held


def asks(cell):
    return bool({"exercise", "question"} & set(tags(cell)))


@pytest.mark.parametrize(
    "sources, answers, again",
    [
        (["a = 1", "answer = ...", "b = a"], {1}, {1}),
        (["a = 1", "answer = ...", "b = answer(a)"], {1}, {0, 1, 2}),
        (
            ["import torch", "def step(x): ...", "y = 2", "def use():\n    return step(y)", "print(use())"],
            {1},
            {1, 2, 3, 4},
        ),
        (["model = Net()", "train(model)", "step = ...", "step(model)"], {2}, {0, 2, 3}),
        (["box = {}", "box['n'] = 3", "ask = ...", "print(ask, box)"], {2}, {0, 1, 2, 3}),
        (["x = 0", "x += 1", "answer = ...", "y = answer(x)"], {2}, {0, 1, 2, 3}),
        (["class A: ...", "A.size = 4", "answer = ...", "print(answer, A)", "print(A)"], {2}, {0, 1, 2, 3}),
        (["answer = ...", "b = answer", "c = b", "d = 4"], {0}, {0, 1, 2}),
        (["print(", "answer = ..."], {1}, {0, 1}),
        (["x = 1", "def answer(y):\n    x = y\n    return x", "print(x)", "[x for x in range(3)]"], {1}, {1}),
        (
            ["results = 1\nshutil.rmtree(results)", "%%writefile a.py\n1", "answer = ...", "answer(results)"],
            {2},
            {0, 1, 2, 3},
        ),
        (["results = 1\nshutil.rmtree(results)", "%%writefile a.py\n1", "answer = ..."], {2}, {2}),
        (["%%writefile net.py\nanswer = Net()", "answer = ...", "%%bash\nanswer", "import net"], {1}, {1}),
        (["x = 1", "def answer():\n    global x\n    x = 2", "print(x)"], {1}, {0, 1, 2}),
        (["x = 1", "def answer(y):\n    return x + y", "x = 5"], {1}, {0, 1, 2}),
        (["%%time\nb = answer()", "answer = ..."], {1}, {0, 1}),
        (["from nets import make as build", "answer = ...", "net = build(answer)"], {1}, {0, 1, 2}),
    ],
)
def test_what_an_answer_can_alter_is_seen_by_the_names(sources, answers, again):
    assert affected.affected(sources, answers) == again


def verdict(source, answer):
    """Run what `demanding` makes of a cell, whose check gives the state `answer`."""

    class Check:
        state = answer

        def check(self, given):
            return self

    class Exercises:
        one = two = Check()

    exec(doubled.demanding(source, source.count(".check(")), {"ex": Exercises})


@pytest.mark.parametrize("source", ["one = 1\n\nex.one.check(one)", "ex.one.check(1)\nex.two.check(\n    2,\n)"])
def test_a_solved_cell_that_has_not_passed_raises(source):
    verdict(source, "passed")
    for state in ("wrong", "not attempted", "raised"):
        with pytest.raises(AssertionError):
            verdict(source, state)


def test_a_verdict_that_cannot_be_demanded_is_refused():
    with pytest.raises(ValueError, match="1 verdicts to demand, 0 lines"):
        doubled.demanding("print(ex.one.check(1))", 1)


def test_a_stub_that_has_no_reference_is_refused():
    with pytest.raises(Exception, match="no function or class nothing"):
        doubled.double(notebook(code(IMPORT), code(ANSWER.replace("train_step", "nothing"), "exercise")))


def test_kernels_are_asked_to_end(tmp_path, monkeypatch):
    """`monkeypatch` puts nbval's own way back."""
    from nbval.kernel import RunningKernel

    monkeypatch.setattr(RunningKernel, "stop", RunningKernel.stop)
    namespace = {}
    exec(doubled.CONFTEST, namespace)
    asked = []

    class Kernel:
        class kc:
            stop_channels = staticmethod(lambda: asked.append("channels"))

        class km:
            shutdown_kernel = staticmethod(lambda now=False: asked.append(now))

    kernel = Kernel()
    kernel.km = Kernel.km
    RunningKernel.stop(kernel)
    assert asked == ["channels", False] and Kernel.km.shutdown_wait_time >= 60
