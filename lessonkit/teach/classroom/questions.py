"""The questions that a classroom page shows: chapters, their exercises, and the known mistakes with explanations.

A report that names anything else is not shown. The explanations are read from the source of the answers, as
importing the exercises would bring torch to a page that computes nothing.
"""

import ast
import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lessonkit.notebook.catalog import find_question
from lessonkit.progress.contents import Contents
from lessonkit.system.course import course, package_folder
from lessonkit.system.errors import Refused


@dataclass(frozen=True)
class Question:
    """An exercise, or a question with letters; `mistakes`: name (there, the letter) -> explanation."""

    chapter: str
    exercise: str
    further: bool
    mistakes: dict[str, str]


def questions(chapters: Iterable[Contents]) -> list[Question]:
    """Return all that is asked in chapters, in their order; `chapter` is `05_training`."""
    found = []
    for one in chapters:
        mistakes = explanations(one.chapter.slug)
        for task in one.tasks:
            known = mistakes.get(task.name) or _of_letters(task.name)
            found.append(Question(one.chapter.name, task.name, task.further, known))
    return found


def handed_out(asked: Iterable[Question], released: Mapping[str, Sequence[str]]) -> list[Question]:
    """Return those questions that were handed out, such as the core alone; `released`: chapter -> its exercises.

    Raises `Refused` where it is none of them.
    """
    found = [one for one in asked if one.exercise in released.get(one.chapter, ())]
    if not found:
        raise Refused("The release has none of the exercises of these chapters: is it another release's folder?")
    return found


def explanations(slug: str) -> dict[str, dict[str, str]]:
    """Return exercise -> mistake -> what a learner reads, for the chapter of that slug; empty where it has none."""
    package = package_folder(course().package)
    path = package.parent.joinpath(*course().exercises.split("."), slug, "answers.py") if package else None
    if path is None or not path.is_file():
        return {}
    body = ast.parse(path.read_text(encoding="utf-8")).body
    defined = {node.name: node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    made = {}
    for node in body:
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Answer":
            given = [word.value for word in call.keywords if word.arg == "mistakes"]
            names = [name.id for part in given for name in ast.walk(part) if isinstance(name, ast.Name)]
            made[call.args[0].id] = {name: _words(defined[name]) for name in names}
    return made


def _words(node):
    return " ".join(inspect.cleandoc(ast.get_docstring(node)).split())


def _of_letters(name):
    asked = find_question(name)
    return {letter: one.why for letter, one in asked.options.items() if letter != asked.answer} if asked else {}
