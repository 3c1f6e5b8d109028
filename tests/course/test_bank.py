"""The bank: every wrong answer in it is refused, every right one accepted, and there are enough of both."""

from functools import cache

import jupytext
import pytest
from answer_bank import (
    BANK,
    RIGHT,
    WRONG,
    BankError,
    answers,
    foreseen,
    form,
    main,
    read_answers,
    read_bank,
    statement,
)
from explanations import exercises
from kept_ours import check as check_keeping

from lessonkit.checks.compare import difference
from lessonkit.checks.verdict import Verdict

EXERCISES = exercises()
each_exercise = pytest.mark.parametrize("name", EXERCISES)


def each(kind):
    return pytest.mark.parametrize("one", answers(kind), ids=lambda one: f"{one.exercise}-{one.label}")


@cache
def check(one):
    """Judge an answer on a learner's first inputs, whatever other tests have checked before."""
    return check_keeping(EXERCISES[one.exercise], one.run(), seed=1)


@each("wrong")
def test_a_wrong_answer_is_refused(one):
    verdict = check(one)
    assert type(verdict) is Verdict
    assert verdict.state not in ("passed", "not attempted"), f"{one.purpose}\n{verdict}"
    assert verdict.message


@each("right")
def test_a_right_answer_is_accepted(one):
    verdict = check(one)
    assert verdict.passed, f"{one.purpose}\n{verdict}"


@each_exercise
def test_there_are_enough_answers(name):
    """Wrong ones that the check knows as a mistake were foreseen, so they do not count."""
    wrong = [check(one) for one in answers("wrong", name)]
    unforeseen = [verdict for verdict in wrong if verdict.state != "known mistake"]
    assert len(unforeseen) >= WRONG, f"of {len(wrong)} wrong answers {len(wrong) - len(unforeseen)} were foreseen"
    assert len(answers("right", name)) >= RIGHT


@each_exercise
def test_no_answer_is_another_in_other_names(name):
    seen = dict.fromkeys(foreseen(name), "the record of references and mistakes")
    for one in answers("right", name) + answers("wrong", name):
        assert one.form not in seen, f"{one.label} is a copy of what is in {seen[one.form]}"
        seen[one.form] = one.label


@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.inputs is None])
def test_no_wrong_value_is_there_twice(name):
    seen = [(mistake.__name__, mistake()) for mistake in EXERCISES[name].mistakes]
    for one in answers("wrong", name):
        value = one.run()
        twins = [other for other, there in seen if type(there) is type(value) and difference(value, there) is None]
        assert not twins, f"{one.label} has the value of {twins[0]}"
        seen.append((one.label, value))


def test_every_file_belongs_to_an_exercise_and_says_what_it_is():
    assert {one.exercise for one in read_bank()} == set(EXERCISES)
    assert len(list(BANK.rglob("*.py"))) == len(EXERCISES)
    assert [one.label for one in read_bank() if len(one.purpose.split()) < 3] == []


TWO_CELLS = """\
# %% right_asked: PyTorch says it itself.
import torch
half_dtype = (torch.tensor(1) / 2).dtype

# %% wrong_text: A word, not a number.
half_dtype = "two"
"""


def written(folder, text, name="start_here/half_dtype.py"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# %% half right: An adverb.\nhalf_dtype = 1\n", r"line 8: '# %% half right: An adverb.'; expected"),
        ("# %% wrong: No name at all.\nhalf_dtype = 1\n", r"line 8: .*; expected `# %% wrong_SLUG"),
        ("#%%wrong_glued: No space.\nhalf_dtype = 1\n", r"line 8: '#%%wrong_glued"),
        ("# %%\nhalf_dtype = 1\n", "line 8: '# %%'; expected"),
        ("# %% wrong_text: The same again.\nhalf_dtype = 1\n", "line 8: wrong_text is there already, in line 5"),
        ("# %% wrong_nothing: Only a heading.\n", "line 8: an empty cell"),
        ("# %% wrong_silence: Only a comment.\n# half_dtype = 1\n", "line 8: an empty cell"),
        ("# %% wrong_syntax: No Python.\nhalf_dtype = = 1\n", "line 9: invalid syntax"),
        ('# %% wrong_open: Never closed.\nhalf_dtype = """1\n', "no Python"),
    ],
)
def test_a_cell_that_would_go_unseen_is_refused_by_its_line(tmp_path, text, complaint):
    path = written(tmp_path, TWO_CELLS + "\n" + text)
    with pytest.raises(BankError, match=complaint):
        read_answers(path)
    path = written(tmp_path, TWO_CELLS)
    assert [one.label for one in read_answers(path)] == ["right_asked", "wrong_text"]


def test_a_file_of_no_exercise_or_with_text_before_its_first_heading_is_refused(tmp_path):
    written(tmp_path, TWO_CELLS)
    assert len(read_bank(tmp_path)) == 2
    for stray in ("start_here/half_dtypes.py", "half_dtype.py", "start_here/half_dtype/wrong_text.py"):
        path = written(tmp_path / stray.replace("/", "_"), TWO_CELLS, stray)
        with pytest.raises(BankError, match=r"a file is called CHAPTER/NAME\.py"):
            read_bank(path.parents[stray.count("/")])
    with pytest.raises(BankError, match="line 1: no heading"):
        read_answers(written(tmp_path, "import torch\n\n" + TWO_CELLS))
    with pytest.raises(BankError, match="line 1: no heading"):
        read_answers(written(tmp_path, "half_dtype = 2\n"))


CELL_MARKS = '''\
# %% wrong_first: Holds what looks like a heading.
TEXT = """
# %% wrong_second: In a string.
"""
if TEXT:
    # %% wrong_third: Indented.
    half_dtype = TEXT  # %% wrong_fourth: Behind code.

# %% wrong_fifth: Sees nothing of the others.
half_dtype = "TEXT" in globals()
'''


def test_an_answer_may_hold_the_mark_of_a_cell_and_sees_no_other(tmp_path):
    first, last = read_answers(written(tmp_path, CELL_MARKS))
    assert (first.label, last.label, last.line) == ("wrong_first", "wrong_fifth", 9)
    assert first.run() == "\n# %% wrong_second: In a string.\n" and last.run() is False
    assert f"{first.code}\n# %% wrong_fifth: {last.purpose}\n{last.code}" == CELL_MARKS.split("\n", 1)[1]


@pytest.mark.parametrize("path", sorted(BANK.rglob("*.py")), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_an_editor_sees_the_same_cells(path):
    """Jupytext's percent format is what editors and JupyterLab read."""
    cells = jupytext.read(path, fmt="py:percent").cells
    here = read_answers(path)
    assert [cell.metadata["title"] for cell in cells] == [f"{one.label}: {one.purpose}" for one in here]
    assert [cell.source.rstrip() for cell in cells] == [one.code.rstrip() for one in here]


def test_a_draft_is_tried_in_cells_or_plain(tmp_path, monkeypatch, capsys):
    for text in (TWO_CELLS, 'half_dtype = "two"\n'):
        monkeypatch.setattr("sys.argv", ["answer_bank.py", "try", str(written(tmp_path, text))])
        main()
    said = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert said == ["right_asked: PASSED", "wrong_text: WRONG", "draft_half_dtype: WRONG"]


@each_exercise
def test_a_statement_gives_nothing_away(name):
    """The bank is written from it, so it must hold neither a hint nor the explanation of a mistake."""
    shown = statement(*name.split("."))
    exercise = EXERCISES[name]
    assert f"{exercise.name}.check(" in shown and "### Exercise" in shown
    kept = [*exercise.hints, *(" ".join(mistake.__doc__.split()) for mistake in exercise.mistakes)]
    assert not [text for text in kept if text in shown]


def test_a_copy_is_seen_through_other_names():
    one = 'import torch\n\n\ndef mean(x):\n    """Doc."""\n    total = x.sum()\n    return total / len(x)\n'
    other = "def answer(values: list) -> float:\n    s = values.sum()  # a comment\n    return s / len(values)\n"
    assert form(one, "mean") == form(other, "answer")
    assert form(one, "mean") != form(other.replace("/", "*"), "answer")
