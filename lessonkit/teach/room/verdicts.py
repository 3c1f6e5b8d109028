"""Judge an answer that ran in the sandbox: compare the outcomes in its message with those of our reference.

No code of a submission runs here: its source is read, and the message of its process is checked.
"""

import ast
import builtins
import contextlib
import sys

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.checks.judge import verdict
from lessonkit.checks.outcomes import Outcome, Outcomes, as_it_stands, returns_something
from lessonkit.checks.verdict import Verdict
from lessonkit.system.course import course
from lessonkit.teach.room.static_answer import Unseen, made_of_parts

UNSEEN = "how it computes them cannot be seen: write it in its cell as `def` or `class`, without a decorator."
_ENDINGS = ("finished", "stopped", "runaway", "left")
_ERRORS = {"builtins", "torch", "numpy", "lessonkit", "json", "pickle", "safetensors"}  # packages of known errors


def verdict_as_written(exercise: Exercise, written: object, expected: Expected) -> Verdict | None:
    """Return the verdict where the text alone decides, "not attempted"; None where the answer must run.

    `written`: the answer as `answer_in` reads it.
    """
    seen = as_it_stands(exercise, written)
    return verdict(exercise, seen, expected) if seen.untouched else None


def verdict_on(
    exercise: Exercise, written: object, message: dict, *, seconds: float, expected: Expected
) -> Verdict:
    """Return the verdict on what an answer's process told; never raises, whatever the message holds.

    `seconds`: how long the answer was waited for when it ran.
    """
    try:
        return verdict(exercise, _outcomes(exercise, written, message, seconds), expected)
    except Exception as error:  # noqa: BLE001 - the message is a stranger's: what it cannot be compared is wrong
        words = f"This answer cannot be judged: {type(error).__name__} as it was compared."
        return Verdict(exercise.name, "wrong", words, hints=exercise.hints, solution=exercise.shown())


def _outcomes(exercise, written, message, seconds):
    """Return the outcomes that a message tells; what can be read in the text is taken from there."""
    if not callable(written):  # by its text a value, when it ran a function: of that no code is known
        written = Unseen()
    against = as_it_stands(exercise, written).against
    if exercise.restrictions and (isinstance(written, Unseen) or (against and made_of_parts(written))):
        against = UNSEEN
    ending = message.get("ending")
    return Outcomes(
        kind=str(message.get("answer"))[:80],
        callable=message.get("callable") is True,
        untouched=message.get("untouched") is True,
        each=tuple(_outcome(one) for one in message.get("outcomes", ())),
        ending=ending if ending in _ENDINGS else "stopped",
        seconds=seconds,
        printed=str(message.get("printed", "")),
        against=against,
        returns=returns_something(written),
    )


def _outcome(said):
    error = said["error"]
    return Outcome(
        value=said["value"],
        error=None if error is None else as_error(error),
        altered=frozenset(said["altered"]),
        line="" if error is None else str(error["line"]),
    )


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
    return error


def _class(module, name):
    if module.partition(".")[0] not in _ERRORS | {course().package} or not name.isidentifier():
        return None
    return vars(sys.modules.get(module, builtins)).get(name)
