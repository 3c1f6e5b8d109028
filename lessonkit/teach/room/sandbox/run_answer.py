"""Run a learner's cells and their answer to one question, and return the outcomes as a message.

It runs inside the sandbox: nothing here protects this process from the submission, and no reference answer is here.
"""

import ast
import asyncio
import contextlib
import inspect
import types
from dataclasses import replace
from types import ModuleType

from lessonkit.checks.outcomes import collect, quoted_line
from lessonkit.checks.question import NOTHING
from lessonkit.teach.room.sandbox import protocol
from lessonkit.teach.room.sandbox.front_end import notebook, show_lines

_PRINTED = 1001  # characters of what an answer printed


def told(module: ModuleType, task: dict) -> bytes:
    """Run the cells of a task, then the answer; return the message, whatever happens. `module`: of its question."""
    try:
        return protocol.pack(_message(module, task))
    except protocol.Unreadable as error:
        return protocol.pack({"trouble": str(error)})
    except BaseException as error:  # noqa: BLE001 - of what an answer left to be looked at
        return protocol.pack({"trouble": f"{type(error).__name__}: {error}"[:300]})


def _message(module, task):
    space = notebook()
    question = getattr(module, task["name"])
    show_lines([*task["pieces"], *([task["given"]] if task.get("given") else [])])
    failed, answer = None, NOTHING
    with Cells(space) as cells:
        for number, (label, source) in enumerate(task["pieces"]):
            error = cells.run(label, source)
            # It goes on: what is missing now may be needed by a part of the answer that nobody calls.
            failed = failed or (error and {"piece": number, **error})
        if task.get("given") is not None:
            answer, error = cells.value(*task["given"])
            failed = failed or (error and {"piece": -1, **error})
    if task.get("given") is None:  # the last piece has handed it to the check
        answer = question.given if question.given is not NOTHING else space.get(task["name"], NOTHING)
    if answer is NOTHING:
        return {"failed": failed, "answer": None}
    asked = replace(question, restrictions=())  # the judge holds those against the answer's text
    given = collect(asked, answer, seed=task["seed"], patience=lambda: task["seconds"], fenced=False)
    message = {"failed": failed, "answer": given.kind, "callable": given.callable, "untouched": given.untouched}
    message |= {"ending": given.ending, "printed": given.printed[:_PRINTED]}
    return message | {"outcomes": tuple(map(_outcome, given.each))}


class Cells:
    """The cells of a notebook, run in its names; `await` at the top of one works, as it does there."""

    def __init__(self, space: dict[str, object]) -> None:
        self.space = space
        self.runner = asyncio.Runner()

    def __enter__(self) -> "Cells":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):  # of a task that nobody has waited for
            self.runner.close()

    def run(self, label: str, source: str) -> dict | None:
        """Run statements; return the error that they raised, if any."""
        return self._evaluated(label, source, "exec")[1]

    def value(self, label: str, source: str) -> tuple[object, dict | None]:
        """Return the value of an expression, NOTHING if it raised, and the error."""
        return self._evaluated(label, source, "eval")

    def _evaluated(self, label, source, mode):
        code = None
        try:
            code = compile(source, label, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            value = eval(code, self.space)
            return (self.runner.run(value) if code.co_flags & inspect.CO_COROUTINE else value), None
        except BaseException as error:  # noqa: BLE001 - of a cell; SystemExit is one that ends here
            return NOTHING, _raised(error, quoted_line(error, types.SimpleNamespace(__code__=code)))


def _outcome(one):
    error = None if one.error is None else _raised(one.error, one.line)
    return {"value": one.value, "error": error, "altered": tuple(one.altered)}


def _raised(error, line):
    kind = type(error)
    try:
        words = str(error)
    except BaseException:  # noqa: BLE001 - an error whose own words raise
        words = line = "(an error that cannot be printed)"
    said = {"words": words[:2000], "line": line[:1000], "bare": not error.args}
    return said | {"module": str(kind.__module__), "name": str(kind.__qualname__)}
