"""Questions that answer back: a reference, fresh inputs, staged hints and the mistakes people make."""

import inspect
import itertools
import math
import random
import sys
import textwrap
import threading
import time

import torch

from course_utils.checks import behaviour, compare, fence, isolation, judge, snapshot, time_limit, verdict
from course_utils.checks.time_limit import run_with_limit
from course_utils.checks.verdict import Note, Verdict

_SEAL = fence.Seal()


class Exercise:
    """One question with everything needed to judge an answer.

    `reference`: the solution, a function (or class) whose name and signature the learner's stub has.
    `inputs(seed)`: list of argument tuples, the first one the example, edge sizes among the others; without it
    the answer is a value and `reference()` computes it. `mistakes`: wrong answers we expect; the docstring of
    each is what a learner reads who makes it. `hints`: sentences, one more at each call. `probe(answer, *args)`:
    how to drive an answer that is not called with the arguments directly. `in_place`: the answer is asked to
    alter its arguments, which are then compared as well. `rtol`, `atol`: tolerances, default torch.testing's.
    """

    def __init__(
        self, reference, *, inputs=None, mistakes=(), hints=(), probe=None, in_place=False, rtol=None, atol=None
    ):
        vars(self).update(  # not by assignment, which is refused: a question stays as it was asked
            name=reference.__name__,
            reference=reference,
            inputs=inputs,
            mistakes=mistakes,
            hints=hints,
            probe=probe or (lambda answer, *arguments: answer(*arguments)),
            in_place=in_place,
            tolerance={"rtol": rtol, "atol": atol},
            _checks=itertools.count(1),
            _hints=itertools.count(1),
        )

    def __setattr__(self, name, value):
        raise AttributeError(f"`{name}` of an exercise cannot be set: make an Exercise of your own instead.")

    def check(self, answer):
        """Judge an answer and return a Verdict; never raises, never prints, ends within two seconds."""
        seed = next(self._checks)  # fresh inputs at every check, and a number to name them by
        said = []

        def work():
            try:
                with _SEAL.unbroken():
                    said.append(judge.Judge(self, answer, seed=seed, seal=_SEAL).verdict())
            except BaseException as error:  # noqa: BLE001 - whatever an answer's objects do when looked at
                said[:] = [Verdict(self.name, "raised", judge.not_judged(error))]

        # A thread of its own, so that no mode, hook or unfinished `with` of the cell's bears on the comparison.
        run_with_limit(work)
        return said[0]

    def hint(self):
        """The next hint, one step further each time."""
        number = next(self._hints)
        if number > len(self.hints):
            return Note(f"No more hints. `ex.{self.name}.solution()` shows our answer.")
        return Note(f"Hint {number} of {len(self.hints)}: {self.hints[number - 1]}")

    def solution(self):
        """The source of our own answer, as it would stand in a cell."""
        return Note(self.source().rstrip())

    def source(self):
        """The text of `solution()` as a string, ending in a newline."""
        text = textwrap.dedent(inspect.getsource(self.reference))
        return text if self.inputs else f"{text}\n\n{self.name} = {self.name}()\n"

    def example(self, seed=0, case=0):
        """The arguments of input number `case` of that seed, to try an answer by hand."""
        return self.inputs(seed)[case]


_SEAL.remember(
    own=(behaviour, compare, fence, isolation, judge, snapshot, time_limit, verdict, sys.modules[__name__]),
    others=(math, random, time, threading, torch, torch.linalg, torch.nn.functional, torch.random),
)
_SEAL.remember(
    own=(Exercise, Note, Verdict, behaviour.Outcome, fence.Fence, fence.Seal, judge.Judge, snapshot.Foreign),
    others=(threading.Thread, torch.Tensor, torch.nn.Module),
)
