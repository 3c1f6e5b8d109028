"""What the course's own references and mistakes give, kept while many answers to one exercise are judged.

Beside the answer a check runs the reference twice and a mistake or two, each time anew: three fifths of the time
that judging the bank took. Here only the answers vary. What is lost: an answer that misleads a reference which runs
after it meets one that ran before (tests/lessonkit/checks/test_cheating.py has such answers). With COURSE_SOAK=1,
as CI does every week, nothing is kept (conftest.py).
"""

import copy
import itertools

from lessonkit.checks.judge import Judge

_ours, _guess, _patience = Judge._ours, Judge._guess, Judge._patience


class Remembered:
    """The outcomes of one exercise's reference and mistakes, by seed; when another is judged they are forgotten."""

    def __init__(self):
        self._exercise, self._kept = None, {}

    def apply(self, monkeypatch):
        """Let every Judge ask here first."""
        monkeypatch.setattr(Judge, "_ours", lambda judge, function: list(self._whole(judge, function)))
        monkeypatch.setattr(Judge, "_guess", lambda judge, mistake: self._one_by_one(judge, mistake))
        monkeypatch.setattr(Judge, "_patience", lambda judge: self._seconds(judge))

    def _look(self, judge, what, make):
        if self._exercise is not judge.exercise:
            self._exercise, self._kept = judge.exercise, {}
        key = (judge.seed, *what)
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _whole(self, judge, function):
        return self._look(judge, ("whole", function), lambda: _ours(judge, function))

    def _one_by_one(self, judge, mistake):
        """An iterator over a mistake's outcomes; each is made when it is first asked for."""
        (kept,) = self._look(judge, ("one by one", mistake), lambda: itertools.tee(_guess(judge, mistake), 1))
        return copy.copy(kept)

    def _seconds(self, judge):
        """What `_patience` says: measured, so not with outcomes that are kept."""

        def measured():
            judge._ours = lambda function: _ours(judge, function)
            try:
                return _patience(judge)
            finally:
                del judge._ours

        return self._look(judge, ("patience",), measured)
