"""Judges an answer that ran elsewhere: what it gave there against our reference here; the verdict is made here."""

import ast
import builtins
import contextlib
import sys
from collections.abc import Sequence

from lessonkit.checks.behaviour import Outcome, untouched
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.judge import Judge
from lessonkit.checks.verdict import Verdict
from lessonkit.teach.room.cells import Piece
from lessonkit.teach.room.written import Unseen, answer_in

_UNSEEN = "how it computes them cannot be seen: write it in its cell as `def` or `class`, without a decorator."
_ENDINGS = ("finished", "stopped", "runaway", "left")
_ERRORS = (
    "builtins",
    "torch",
    "numpy",
    "json",
    "pickle",
    "safetensors",
)  # packages of known errors


class RoomJudge(Judge):
    """One answer that ran in a submission's process. `message`: what that told; None before it ran."""

    def __init__(self, exercise: Exercise, pieces: Sequence[Piece], *, seed: int) -> None:
        super().__init__(exercise, answer_in(pieces, exercise.name), seed=seed)
        self.message: dict | None = None

    def as_written(self) -> Verdict | None:
        """Return the verdict where the text alone decides, "not attempted"; None where the answer must run."""
        if self.answer is None or self.answer is ... or (self.exercise.inputs and untouched(self.answer)):
            return self._not_attempted()
        return None

    def patience(self) -> float:
        """Return the seconds for one run of the answer over all inputs."""
        return self._patience() if self.exercise.inputs else 1.0

    def verdict_on(self, message: dict) -> Verdict:
        """Return the verdict on what the answer gave; never raises, whatever the message holds."""
        self.message = message
        try:
            if message.get("untouched") is True:
                return self._not_attempted()
            if self.exercise.inputs and message.get("callable") is not True:
                kind = str(message.get("answer"))[:80]
                name = self.exercise.name
                return self._say(
                    "wrong", f"Found a value ({kind}), expected the function itself: pass `{name}` uncalled."
                )
            return self._judge_function() if self.exercise.inputs else self._judge_value()
        except Exception as error:  # noqa: BLE001 - the message is a stranger's: what it cannot be compared is wrong
            return self._say("wrong", f"This answer cannot be judged: {type(error).__name__} as it was compared.")

    def _judge_function(self):
        if not callable(self.answer):  # by its text a value, when it ran a function: of that no code is known
            self.answer = Unseen()
        verdict = super()._judge_function()
        if verdict.passed and isinstance(self.answer, Unseen) and self.exercise.restrictions:
            return self._say("wrong", f"The values are right, but {_UNSEEN}")
        return verdict

    def _patience(self):
        if self.message is not None:  # how long it got when it ran
            return self.message["seconds"]
        return super()._patience()

    def _run(self, call, inputs, seconds):
        self.printed = str(self.message.get("printed", ""))
        ending = self.message.get("ending")
        outcomes = [_outcome(one) for one in self.message.get("outcomes", ())]
        return outcomes, ending if ending in _ENDINGS else "stopped"

    def _quoted(self, error):
        return getattr(error, "quoted", str(error))


def _outcome(said):
    altered = frozenset(said["altered"])
    error = said["error"]
    return Outcome(value=said["value"], error=error and as_error(error), altered=altered)


def as_error(said: dict) -> BaseException:
    """Return an error of the class that was named, where it is one we know, else of one that nothing else is of."""
    module, name, words = (str(said[key]) for key in ("module", "name", "words"))
    kind = _class(module, name)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        kind = type(name[:80] or "Error", (Exception,), {})
    error = kind.__new__(kind)
    if issubclass(kind, KeyError):  # which shows its words quoted
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            words = ast.literal_eval(words[:500])
    error.args = () if said["bare"] else (words,)
    error.quoted = str(said["line"])
    return error


def _class(module, name):
    if module.partition(".")[0] not in _ERRORS or not name.isidentifier():
        return None
    return vars(sys.modules.get(module, builtins)).get(name)
