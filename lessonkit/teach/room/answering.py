"""Runs a learner's cells and their answer to one question, and says what it gave; it knows no reference.

It runs where submissions are confined, so nothing here protects this process.
"""

import linecache
import os
import sys
import types
from types import ModuleType

from lessonkit.checks.behaviour import learners_line, observe, untouched
from lessonkit.checks.isolation import isolated
from lessonkit.checks.question import NOTHING
from lessonkit.system.meter import Meter
from lessonkit.teach.room import wire

_PRINTED = 1001  # characters of what an answer printed


def told(module: ModuleType, task: dict) -> bytes:
    """Run the cells of a task, then the answer; return the message, whatever happens. `module`: of its question."""
    try:
        return wire.pack(_message(module, task))
    except wire.Unreadable as error:
        return wire.pack({"trouble": str(error)})
    except BaseException as error:  # noqa: BLE001 - of what an answer left to be looked at
        return wire.pack({"trouble": f"{type(error).__name__}: {error}"[:300]})


def _message(module, task):
    space = _notebook()
    failed = None
    for label, source in task["pieces"]:
        linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
        code = None
        try:
            code = compile(source, label, "exec")
            exec(code, space)
        except BaseException as error:  # noqa: BLE001 - of a cell; SystemExit is one that ends here
            failed = _raised(error, types.SimpleNamespace(__code__=code))
            break
    question = getattr(module, task["name"])
    answer = question.given if question.given is not NOTHING else space.get(task["name"], NOTHING)
    if answer is NOTHING:
        return {"failed": failed, "answer": None}
    message = {"failed": failed, "answer": type(answer).__name__, "callable": callable(answer)}
    message["untouched"] = untouched(answer)
    if question.inputs is not None and not callable(answer):
        return message
    with isolated(task["seed"]) as printed:
        inputs, clock = question.inputs or (lambda seed: [()]), Meter(lambda: [os.getpid()]).charged
        outcomes, ending = observe(
            _call(question, answer), inputs, task["seed"], seconds=task["seconds"], clock=clock
        )
    message |= {"ending": ending, "printed": printed.text()[:_PRINTED]}
    return message | {"outcomes": tuple(_outcome(one, answer) for one in outcomes)}


def _call(question, answer):
    if question.inputs is None:
        return lambda: answer

    def call(*arguments):
        value = question.probe(answer, *arguments)
        return (value, *arguments) if question.in_place else value

    return call


def _outcome(one, answer):
    error = one.error and _raised(one.error, answer)
    return {"value": one.value, "error": error, "altered": tuple(one.altered)}


def _raised(error, answer):
    kind = type(error)
    try:
        words, line = str(error), learners_line(error, answer)
    except BaseException:  # noqa: BLE001 - an error whose own words raise
        words = line = "(an error that cannot be printed)"
    said = {"words": words[:2000], "line": line[:1000], "bare": not error.args}
    return said | {"module": str(kind.__module__), "name": str(kind.__qualname__)}


def _notebook():
    """Return the names of a fresh notebook, which is `__main__`; a magic does nothing there but run its cell."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    shell = types.SimpleNamespace(
        run_line_magic=lambda *_: None,
        run_cell_magic=lambda name, line, cell: (
            exec(cell, vars(main)) if name in ("time", "timeit", "capture") else None
        ),
        system=lambda *_: None,
        getoutput=lambda *_: [],
    )
    vars(main).update(get_ipython=lambda: shell, display=lambda *_, **__: None)
    return vars(main)
