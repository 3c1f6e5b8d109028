"""The files of a bank: a cell that would go unseen is refused, copies are seen, and a draft can be tried."""

import answer_bank
import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.verdict import Verdict
from lessonkit.review.bank import BankError, copies, enough, form, given_away, judged, read_answers, read_bank
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import errors

NAMES = {"start_here.half_dtype"}

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
        read_answers(path, NAMES)
    path = written(tmp_path, TWO_CELLS)
    assert [one.label for one in read_answers(path, NAMES)] == ["right_asked", "wrong_text"]


def test_a_file_of_no_exercise_or_with_text_before_its_first_heading_is_refused(tmp_path):
    written(tmp_path, TWO_CELLS)
    assert len(read_bank(tmp_path, NAMES)) == 2
    for stray in ("start_here/half_dtypes.py", "half_dtype.py", "start_here/half_dtype/wrong_text.py"):
        path = written(tmp_path / stray.replace("/", "_"), TWO_CELLS, stray)
        with pytest.raises(BankError, match=r"a file is called CHAPTER/NAME\.py"):
            read_bank(path.parents[stray.count("/")], NAMES)
    with pytest.raises(BankError, match="line 1: no heading"):
        read_answers(written(tmp_path, "import torch\n\n" + TWO_CELLS), NAMES)
    with pytest.raises(BankError, match="line 1: no heading"):
        read_answers(written(tmp_path, "half_dtype = 2\n"), NAMES)


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
    first, last = read_answers(written(tmp_path, CELL_MARKS), NAMES)
    assert (first.label, last.label, last.line) == ("wrong_first", "wrong_fifth", 9)
    assert first.run() == "\n# %% wrong_second: In a string.\n" and last.run() is False
    assert f"{first.code}\n# %% wrong_fifth: {last.purpose}\n{last.code}" == CELL_MARKS.split("\n", 1)[1]


def test_a_draft_is_tried_in_cells_or_plain(tmp_path, monkeypatch, capsys):
    for text in (TWO_CELLS, 'half_dtype = "two"\n'):
        monkeypatch.setattr("sys.argv", ["answer_bank.py", "try", str(written(tmp_path, text))])
        answer_bank.main()
    said = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert said == ["right_asked: PASSED", "wrong_text: WRONG", "draft_half_dtype: WRONG"]


def test_a_copy_is_seen_through_other_names():
    one = 'import torch\n\n\ndef mean(x):\n    """Doc."""\n    total = x.sum()\n    return total / len(x)\n'
    other = "def answer(values: list) -> float:\n    s = values.sum()  # a comment\n    return s / len(values)\n"
    assert form(one, "mean") == form(other, "answer")
    assert form(one, "mean") != form(other.replace("/", "*"), "answer")


def half(x):
    """Half of it."""
    return x / 2


def same(x):
    """You returned it as it was, and it was to be halved."""
    return x


HALF = Exercise(half, inputs=lambda seed: [(seed,), (3,), (0,)], mistakes=[same], hints=["Divide by two."])
HALVES = """\
# %% right_times: Multiplies by a half.
def half(x):
    return x * 0.5


# %% right_refused: Says it is right and is not.
def half(x):
    return x - 1


# %% wrong_accepted: Says it is wrong and is not.
def half(x):
    return 0.5 * x


# %% wrong_same: The argument as it was.
def half(y):
    return y


# %% wrong_twice: Short
def half(x):
    return 2 * x
"""


@pytest.fixture
def halves(tmp_path):
    return read_answers(written(tmp_path, HALVES, "toys/half.py"), {"toys.half"})


def test_an_answer_that_is_judged_otherwise_than_it_says_is_an_error(halves):
    found = {one.label: errors(judged(one, HALF, Judging())[1]) for one in halves}
    assert found.pop("right_refused")[0].startswith("right_refused is right and refused: Found 0")
    (accepted,) = found.pop("wrong_accepted")
    assert accepted == "wrong_accepted is wrong (Says it is wrong and is not.), and the check says: passed"
    assert found == {"right_times": [], "wrong_same": [], "wrong_twice": []}


def test_copies_and_headings_without_a_reason_are_errors(halves):
    assert errors(copies(halves, HALF)) == [
        "wrong_same is a copy of `same` of the exercise in other names",
        "wrong_twice has a heading of fewer than three words: say what it does, or what is wrong",
    ]


def test_foreseen_answers_do_not_count(halves):
    verdicts = [Verdict("half", "wrong", ""), *[Verdict("half", "known mistake", "")] * 20]
    few, right = errors(enough(halves, verdicts))
    assert few.startswith("1 wrong answers in the bank that the check did not foresee (21 in all)")
    assert right == "2 right answers in the bank, expected at least 3"


def test_a_statement_that_holds_a_hint_or_an_explanation_is_an_error():
    assert errors(given_away("### Exercise: half\n\nReturn half of it.", HALF)) == []
    shown = "You returned it as it was, and it was to be halved. Divide by two."
    assert len(errors(given_away(shown, HALF))) == 3
