"""A verdict from what a submission's process told: as in the notebook for honest ones, never passed for a lie."""

import math

import pytest
import torch

from course_utils.exercises import save_load, start_here, tensors
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.checks.question import Question
from lessonkit.teach.room.needed_cells import Piece
from lessonkit.teach.room.sandbox import run_answer
from lessonkit.teach.room.sandbox.protocol import unpack
from lessonkit.teach.room.static_answer import answer_in
from lessonkit.teach.room.verdicts import as_error, verdict_as_written, verdict_on

SEED = 7


class Module:
    """What stands for the module of questions without answers."""

    __name__ = "toys"


def told(exercise, source):
    """(answer as it is written, message) of a cell that ran here, as it would in there."""
    question = Question(exercise.name, inputs=exercise.inputs, probe=exercise.probe, in_place=exercise.in_place)
    setattr(Module, exercise.name, question)
    pieces = [("cell 1", source)]
    task = {
        "name": exercise.name,
        "pieces": pieces,
        "given": ("cell 1", exercise.name),
        "seed": SEED,
        "seconds": 5.0,
    }
    message = unpack(run_answer.told(Module, task))
    return answer_in([Piece(*one) for one in pieces], Piece("cell 1", exercise.name)), message


def said(exercise, source):
    written, message = told(exercise, source)
    return verdict_as_written(exercise, written, Expected(exercise, SEED)) or judged(exercise, written, message)


def judged(exercise, written, message, seed=SEED):
    return verdict_on(exercise, written, message, seconds=5.0, expected=Expected(exercise, seed))


@pytest.mark.parametrize(
    ("exercise", "body"),
    [
        (start_here.ink, "return (images / 255).mean(dim=(1, 2))"),
        (start_here.ink, "return (images / 255).mean()"),
        (start_here.ink, "return torch.stack([one.float().mean() / 255 for one in images])"),
        (start_here.ink, "return images.view(-1, 7)"),
        (start_here.ink, "images.zero_()\n    return images.float().mean(dim=(1, 2))"),
        (start_here.ink, "print('here')"),
        (start_here.ink, "..."),
        (start_here.ink, "raise NotImplementedError"),
        (start_here.ink, "raise KeyError('x')"),
    ],
)
def test_an_honest_answer_reads_what_it_reads_in_the_notebook(exercise, body):
    source = f"import torch\ndef {exercise.name}(images):\n    {body}"
    space = {"__name__": "__main__"}
    exec(compile(source, "cell 1", "exec"), space)
    there, here = said(exercise, source), exercise.check(space[exercise.name], seed=SEED)
    assert (there.state, there.message, there.printed) == (here.state, here.message, here.printed)


def test_a_value_is_judged_too():
    assert said(start_here.half_dtype, "import torch\nhalf_dtype = torch.float32").passed
    wrong = said(start_here.half_dtype, "import torch\nhalf_dtype = torch.int64")
    assert wrong.state == "known mistake" and "`/` does not return integers" in wrong.message
    assert said(start_here.half_dtype, "half_dtype = ...").state == "not attempted"


def test_a_value_in_place_of_a_function_is_said_to_be_one():
    assert "Pass `ink` without calling it" in said(start_here.ink, "import torch\nink = torch.zeros(3)").message


def test_how_it_computes_must_be_written():
    made = "import torch\ndef make():\n    return lambda images: (images / 255).mean(dim=(1, 2))\nink = make()"
    assert said(start_here.ink, made).passed
    made = made.replace("ink = make()", "ink, _ = make(), 1")
    verdict = said(start_here.ink, made)
    assert verdict.state == "wrong" and "cannot be seen" in verdict.message
    told_here = told(start_here.ink, "import torch\ndef ink(images): return (images / 255).mean(dim=(1, 2))")
    assert judged(start_here.ink, *told_here).passed


LIES = [
    {},
    {"outcomes": ()},
    {"outcomes": None},
    {"outcomes": ({"value": 1},)},
    {"verdict": "passed", "state": "passed"},
    {"outcomes": ({"value": None, "error": None, "altered": 3},) * 15},
    {"ending": "passed"},
    {"printed": 5, "outcomes": (1, 2)},
    {"callable": "yes"},
    {"untouched": False, "callable": True, "ending": "finished", "outcomes": ({"value": math.nan},) * 15},
]


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_a_lie_does_not_pass_and_does_not_stop_the_judge(lie):
    written, message = told(start_here.ink, "def ink(images): return images")
    assert not judged(start_here.ink, written, message | lie).passed


def test_the_values_of_another_seed_do_not_pass():
    told_here = told(start_here.ink, "import torch\ndef ink(images): return (images / 255).mean(dim=(1, 2))")
    assert judged(start_here.ink, *told_here).passed
    assert not judged(start_here.ink, *told_here, seed=SEED + 1).passed


def test_an_error_is_of_the_class_that_was_named():
    def error(module, name, words="no", bare=False):
        return as_error({"module": module, "name": name, "words": words, "line": "", "bare": bare})

    assert type(error("builtins", "ValueError")) is ValueError and str(error("builtins", "ValueError")) == "no"
    assert str(error("builtins", "KeyError", "'x'")) == "'x'" and type(error("os", "error")).__name__ == "error"
    assert type(error("builtins", "eval")).__mro__[1] is Exception
    assert type(error("torch", "OutOfMemoryError")) is torch.OutOfMemoryError
    assert error("builtins", "NotImplementedError", bare=True).args == ()
    assert type(error("builtins", "UnicodeDecodeError")) is UnicodeDecodeError


def test_an_error_that_is_asked_for_counts():
    def careful(x):
        if x < 0:
            raise ValueError("negative")
        return math.sqrt(x)

    exercise = Exercise(careful, inputs=lambda seed: [(4.0,), (-1.0,)])
    assert said(exercise, "import math\ndef careful(x):\n    return math.sqrt(x)").passed
    assert not said(exercise, "def careful(x):\n    return abs(x) ** 0.5").passed
    assert said(exercise, "def careful(x):\n    if x < 0: raise KeyError(x)\n    return x ** 0.5").state == "raised"


def test_restrictions_and_altered_arguments_are_seen():
    body = "return torch.stack([((points - q) ** 2).sum(1).argmin() for q in queries])"
    verdict = said(tensors.nearest, f"import torch\ndef nearest(queries, points):\n    {body}")
    assert verdict.state in ("wrong", "raised") and tensors.nearest.name == verdict.exercise
    body = "found = (images / 255).mean(dim=(1, 2))\n    images.zero_()\n    return found"
    assert "changed its input" in said(start_here.ink, f"import torch\ndef ink(images):\n    {body}").message


def test_an_exercise_that_is_a_class_is_judged():
    source = save_load.Bookmark.source()
    assert said(save_load.Bookmark, f"import copy, random\nimport torch\n{source}").passed
