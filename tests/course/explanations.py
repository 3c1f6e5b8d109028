"""What was right and what was wrong, on record: a reference that breaks, or two explanations that change places,
would otherwise go unseen, since every other test takes the exercise's own word for it.

    python tests/course/explanations.py      writes the record anew, after an exercise was changed on purpose

The record holds the code of each reference, and that of each expected mistake, without its name and docstring,
beside the beginning of its explanation. The tests hand in that code as a learner would.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import textwrap
from pathlib import Path

import course_utils.exercises
from lessonkit.checks.exercise import Exercise

RECORD = Path(__file__).parent / "explanations.json"
BEGINNING = 60  # characters: enough to tell the explanations of one exercise apart


def exercises():
    """Every exercise of the course by "module.name"."""
    modules = [module.name for module in pkgutil.iter_modules(course_utils.exercises.__path__)]
    return {
        f"{module}.{name}": value
        for module in modules
        for name, value in vars(importlib.import_module(f"course_utils.exercises.{module}")).items()
        if isinstance(value, Exercise)
    }


def anonymous(function):
    """The source of a reference or mistake as that of something called `answer`, without docstring."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    node.name, node.decorator_list = "answer", []
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(node)


def explanation(mistake):
    """What a learner reads, in one line."""
    return " ".join(mistake.__doc__.split())


def rebuild(name, code):
    """The recorded code as an answer, in the namespace of the exercise's own module."""
    space = dict(vars(importlib.import_module(f"course_utils.exercises.{name.split('.')[0]}.answers")))
    exec(compile(code, f"<recorded mistake of {name}>", "exec"), space)
    return space["answer"]


def current():
    """The record as it would be written now."""
    return {
        name: {
            "right": anonymous(exercise.reference),
            "wrong": [
                {"answer": anonymous(mistake), "explanation": explanation(mistake)[:BEGINNING]}
                for mistake in exercise.mistakes
            ],
        }
        for name, exercise in sorted(exercises().items())
    }


if __name__ == "__main__":
    RECORD.write_text(json.dumps(current(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{sum(len(one['wrong']) for one in current().values())} mistakes on record in {RECORD.name}")
