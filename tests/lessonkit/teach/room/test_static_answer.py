"""An answer as it is written: found without being run, with what a restriction and a stub are known by."""

import functools

import pytest
import torch

from lessonkit.checks.outcomes import untouched
from lessonkit.checks.restrictions import no_call, no_loop
from lessonkit.teach.room.needed_cells import Piece
from lessonkit.teach.room.static_answer import Unseen, answer_in, value_of


def answer(*sources, given="f"):
    pieces = [Piece(f"cell {number}", source) for number, source in enumerate(sources)]
    return answer_in(pieces, Piece("cell 9", given))


def test_nothing_of_it_is_run(tmp_path):
    mark = tmp_path / "ran"
    touch = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    lines = [touch, f"class A({touch}):", f"    {touch}", f"@{touch}", "def g(): ..."]
    found = answer("\n".join([*lines, f"def f(x={touch}) -> {touch}:", "    return x"]))
    assert callable(found) and not untouched(found) and not mark.exists()


@pytest.mark.parametrize(
    ("source", "stub"),
    [
        ("def f(x):\n    'What is asked.'\n    ...", True),
        ("def f(x):\n    return x", False),
        ("f = ...", True),
        ("f = None", True),
        ("f = lambda x: x + 1", False),
        ("class f:\n    def __init__(self): ...", True),
        ("class f:\n    def __init__(self):\n        super().__init__()\n    def g(self, x): return x", False),
        ("f = make()", False),
    ],
)
def test_a_stub_is_told_from_an_answer(source, stub):
    assert untouched(answer(source)) is stub


def test_restrictions_read_it_with_its_imports_and_helpers():
    looped = answer("def help(x):\n    for y in x: pass\ndef f(x): return help(x)")
    assert "is a loop" in no_loop(looped) and "for y in x: pass" in no_loop(looped)
    assert no_loop(answer("def f(x): return x.sum()")) is None
    assert no_call("softmax")(answer("from torch.nn.functional import softmax as s\ndef f(x): return s(x)"))
    assert no_call("torch.func")(answer("import torch\ndef f(x): return torch.func.grad(x)"))
    assert "is a loop" in no_loop(answer("from functools import reduce\nf = lambda x: reduce(max, x)"))


def test_the_last_one_counts_and_what_the_check_is_given():
    assert no_loop(answer("def f(x): return [y for y in x]\ndef f(x): return x")) is None
    assert no_loop(answer("def f(x): return x\ndef g(x): return [y for y in x]", given="g"))
    assert no_loop(answer("def f(x): return x", given="lambda x: [y for y in x]"))
    assert answer("f = 1", "f = 2.5") == 2.5


@pytest.mark.parametrize(
    "source",
    [
        "",
        "f = make()",
        "f, g = 1, 2",
        "for f in g: pass",
        "@d\ndef f(x): return x",
        "if g:\n    f = h()",
        "f = 2 ** 9",
    ],
)
def test_what_the_text_does_not_show_is_unseen(source):
    found = answer(source)
    assert isinstance(found, Unseen)
    with pytest.raises(NotImplementedError):
        found()


@pytest.mark.parametrize(
    "source",
    [
        "def d(f): return f\n@d\ndef f(x):\n    return x",
        "import functools\n@functools.cache\ndef f(x): return x",
        "def make():\n    return lambda x: x\nf = make()",
        "if 1:\n    def f(x): return x\nelse:\n    def f(x): return -x",
        "try:\n    import strange\nexcept ImportError:\n    f = lambda x: x",
        "import functools\ndef g(x, y): return x\nf = functools.partial(g, y=1)",
    ],
)
def test_the_parts_of_one_that_is_put_together_are_looked_at(source):
    """A restriction holds for all of them: a loop in any is seen, and none is seen where there is none."""
    assert callable(answer(source)) and not isinstance(answer(source), Unseen) and no_loop(answer(source)) is None
    looped = source.replace("return x", "return [y for y in x]").replace("lambda x: x", "lambda x: [y for y in x]")
    assert "is a loop" in no_loop(answer(looped))


def test_a_decorated_stub_is_a_stub():
    assert untouched(answer("@d\ndef f(): ..."))


def test_only_known_libraries_are_imported(tmp_path, monkeypatch):
    (tmp_path / "strange.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert isinstance(answer("import strange as f"), Unseen) and isinstance(answer("from strange import f"), Unseen)
    assert answer("import torch as f") is torch and answer("from functools import reduce as f") is functools.reduce


@pytest.mark.parametrize(
    "source", ["(" * 5000, "f = " + "-" * 50_000 + "1", "f = 9 ** 9 ** 9", "\0", "f = '" + "x" * 10**6]
)
def test_a_hostile_text_is_unseen(source):
    assert isinstance(answer(source), (Unseen, int))


def test_a_letter_is_read_through_its_name():
    import ast

    piece = Piece("cell", 'answer = "b"\nask("case 1", answer)')
    node = ast.parse("answer", mode="eval").body
    assert value_of(node, [piece]) == "b"
