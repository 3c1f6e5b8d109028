"""Run a learner's cells and their answer to one question, and return the outcomes as a message.

It runs inside the sandbox: nothing here protects this process from the submission, and no reference answer is here.
"""

import linecache
import sys
import types
from dataclasses import replace
from types import ModuleType

from lessonkit.checks.outcomes import collect, quoted_line
from lessonkit.checks.question import NOTHING
from lessonkit.teach.room.sandbox import protocol

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
    space = _notebook()
    failed = None
    for label, source in task["pieces"]:
        linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
        code = None
        try:
            code = compile(source, label, "exec")
            exec(code, space)
        except BaseException as error:  # noqa: BLE001 - of a cell; SystemExit is one that ends here
            failed = _raised(error, quoted_line(error, types.SimpleNamespace(__code__=code)))
            break
    question = getattr(module, task["name"])
    answer = question.given if question.given is not NOTHING else space.get(task["name"], NOTHING)
    if answer is NOTHING:
        return {"failed": failed, "answer": None}
    asked = replace(question, restrictions=())  # the judge holds those against the answer's text
    given = collect(asked, answer, seed=task["seed"], patience=lambda: task["seconds"], fenced=False)
    message = {"failed": failed, "answer": given.kind, "callable": given.callable, "untouched": given.untouched}
    message |= {"ending": given.ending, "printed": given.printed[:_PRINTED]}
    return message | {"outcomes": tuple(map(_outcome, given.each))}


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
