"""What the clinic says next of a text in which it knows no case."""

import builtins
import pickle

import pytest

from torch_clinic.diagnosis import diagnose
from torch_clinic.unknown import MOST, SAYS, what_next

FRAME = 'Traceback (most recent call last):\n  File "train.py", line 12, in load\n    row["price"]\n'
LIBRARY = (
    '  File "/x/lib/python3.12/site-packages/lightly/core.py", line 9, in run\n    raise GridError("no cell")\n'
)


def said(text):
    found = diagnose(text)
    assert not found, found
    return what_next(text, found)


def steps(text):
    return [step.partition(":")[0] for step in said(text).split("\n\n")[1:]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{FRAME}KeyError: 'price'", "The error is `KeyError: 'price'`. By its type, a dictionary, or"),
        ("ZeroDivisionError: division by zero", "The error is `ZeroDivisionError: division by zero`. By its type"),
        (f"{FRAME}PermissionError: [Errno 13] Permission denied: 'x'", "The error is `PermissionError: [Errno 13]"),
        (f"{FRAME}lightly.GridError: no cell", "The error is `GridError: no cell`. `GridError` is no type of"),
        (f"{FRAME}StopIteration", "The error is `StopIteration`. By its type, `next` was called where nothing"),
        ("x.py:3: UserWarning: the grid is odd", "The text ends in `UserWarning: the grid is odd`. This is"),
    ],
)  # fmt: skip
def test_the_error_is_repeated_and_its_type_explained(text, expected):
    assert said(text).startswith(expected)


def test_it_says_where_to_look_what_to_shrink_where_to_ask_and_what_to_paste():
    text = f"{FRAME}KeyError: 'price'"
    assert steps(text) == ["Where to look", "Make it smaller", "Where to ask", "What to paste there"]
    assert 'Where to look: train.py, line 12, in load: row["price"].' in said(text)
    assert "https://discuss.pytorch.org" in said(text) and "CUDA" not in said(text)


def test_an_error_of_a_library_sends_to_that_library_too():
    assert "or lightly's page of issues" in said(f"{FRAME}{LIBRARY}lightly.GridError: no cell")
    alone = said(f"Traceback (most recent call last):\n{LIBRARY}lightly.GridError: no cell")
    assert "Where to look: lightly raised it, and no line of your own is in the text." in alone


def test_a_gpu_is_spoken_of_where_the_text_does():
    assert "CUDA_LAUNCH_BLOCKING=1" in said(f"{FRAME}lightly.GridError: no cell on cuda:0")


@pytest.mark.parametrize("text", ["hello world", "step 1\nstep 2\n", "exit status 3"])
def test_a_text_without_an_error_is_called_that(text):
    assert said(text).startswith("I see no line in this text that names an error")


def test_what_is_known_or_broken_off_gets_no_more_than_it_had():
    known = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x1024 and 512x10)"
    assert what_next(known, diagnose(known)) == ""
    assert what_next(FRAME, diagnose(FRAME)) == "" and diagnose(FRAME).broken_off


def test_a_long_message_is_cut():
    first = said(f"{FRAME}KeyError: '{'price ' * 200}'").partition("\n\n")[0]
    assert "…`. By its type" in first and len(first) < MOST + 150


@pytest.mark.parametrize("name", SAYS)
def test_what_is_explained_is_a_type_that_there_is(name):
    assert issubclass(getattr(builtins, name, None) or getattr(pickle, name), BaseException)
    assert SAYS[name][0].islower() or SAYS[name][0] in "`P"
    assert not SAYS[name].endswith(".")
