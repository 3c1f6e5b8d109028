"""What the course's own references and mistakes give, kept while many answers to one exercise are judged.

A check runs the reference twice and a mistake or two, each time anew, and of those the learner's own answer is the
smallest part: five sixths of what judging the bank took. Here the answers are what varies. With COURSE_SOAK=1, as
a workflow does every week, nothing is kept (conftest.py).
"""

import copy
import itertools

from course_utils.checks.judge import Judge

_ours, _guess, _patience = Judge._ours, Judge._guess, Judge._patience


class Remembered:
    """The outcomes of one exercise's reference and mistakes on one seed; of another one they are forgotten."""

    def __init__(self):
        self._of, self._kept = None, {}

    def apply(self, monkeypatch):
        """Let every Judge ask here first."""
        monkeypatch.setattr(Judge, "_ours", lambda judge, function: list(self._outcomes(judge, function)))
        monkeypatch.setattr(Judge, "_guess", lambda judge, mistake: self._outcomes(judge, mistake))
        monkeypatch.setattr(Judge, "_patience", lambda judge: self._seconds(judge))

    def _look(self, judge, key, make):
        if self._of != (judge.exercise, judge.seed):
            self._of, self._kept = (judge.exercise, judge.seed), {}
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _outcomes(self, judge, function):
        """An iterator over the outcomes; each is made when it is first asked for."""

        def begun():
            return itertools.tee(_guess(judge, function) if judge.exercise.inputs else _ours(judge, function), 1)

        (kept,) = self._look(judge, function, begun)
        return copy.copy(kept)

    def _seconds(self, judge):
        """What `_patience` says: measured, so not with outcomes that are kept."""

        def measured():
            judge._ours = lambda function: _ours(judge, function)
            try:
                return _patience(judge)
            finally:
                del judge._ours

        return self._look(judge, "patience", measured)
