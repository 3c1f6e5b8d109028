"""None of the tricks of cheats.py scores when it is submitted, not even those that docs/checks.md must let pass."""

import sys
from pathlib import Path

import pytest

from course_utils.exercises import start_here as ex
from lessonkit.checks.expected import Expected
from lessonkit.teach.room.needed_cells import Piece
from lessonkit.teach.room.sandbox.process import Limits, SandboxProcess
from lessonkit.teach.room.static_answer import answer_in
from lessonkit.teach.room.verdicts import verdict_on

sys.path.insert(0, str(Path(__file__).parents[2] / "checks"))
import cheats
from submissions import trick_cell

MODULE = "course_utils.exercises.start_here"
SEED = 20_261_123
ABOVE = Piece("cell 1", "from course_utils.exercises import start_here as ex")
RIGHT_VALUES: set[str] = set()  # tricks that are refused for how they came to them
HONEST = "def ink(images):\n    return (images / 255).mean(dim=(1, 2))\n\nex.ink.check(ink)"


def outcomes(cells, tree, apart):
    """name -> what was said of (question, source), each in a process of its own, one after the other."""
    tasks, answers = [], {}
    for name, (question, source) in cells.items():
        pieces = (ABOVE, Piece("cell 2", source))
        answers[name] = getattr(ex, question), answer_in(pieces, Piece("cell 2", question))
        told = [(piece.label, piece.source) for piece in pieces]
        tasks.append(
            {
                "name": question,
                "pieces": told,
                "given": ("cell 2", question),
                "seed": SEED,
                "seconds": 4.0,
                "limit": 12.0,
            }
        )
    waiting, said = list(zip(cells, tasks, strict=True)), {}
    while waiting:
        heard = list(SandboxProcess(MODULE, tree, apart, Limits(seconds=12.0)).run([task for _, task in waiting]))
        for (name, _), one in zip(waiting, heard, strict=False):
            if one.message is None:
                said[name] = one.ended
            elif one.message["answer"] is None:
                said[name] = f"no answer: {one.message['failed']}"
            else:
                exercise, written = answers[name]
                verdict = verdict_on(exercise, written, one.message, seconds=4.0, expected=Expected(exercise, SEED))
                said[name] = f"{verdict.state}: {verdict.message}"
        waiting = waiting[len(heard) :]
    return said


@pytest.fixture(scope="module")
def said(tree, apart):
    cells = {"honest before": ("ink", f"import torch\n{HONEST}")}
    for name in [*cheats.CHEATS, *cheats.OPEN]:
        question = "half_dtype" if name in cheats.VALUES else "ink"
        cells[name] = (question, trick_cell(name, question))
    return outcomes(cells | {"honest after": cells["honest before"]}, tree, apart)


@pytest.mark.parametrize("name", [*cheats.CHEATS, *cheats.OPEN])
def test_a_trick_does_not_score(said, name):
    assert not said[name].startswith(("passed", "not attempted")), said[name]
    assert "The values are right" not in said[name] or name in RIGHT_VALUES, said[name]


def test_an_honest_answer_scores_before_them_and_after_them(said):
    assert said["honest before"] == said["honest after"] == "passed: Right for 15 inputs."
