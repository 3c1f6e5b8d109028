"""Find every exercise of a course; check that it is complete, that its reference passes, and that stubs do not."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence

import torch
from nbformat import NotebookNode

from lessonkit.checks.exercise import Exercise
from lessonkit.notebook.cells import tags
from lessonkit.notebook.tags import EXERCISE
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import Finding, error

MOST_SECONDS = 2  # of a check of our own answer
SHORTEST = 6  # words of an explanation


def questions(package: str, chapter: str | None = None) -> dict[str, Exercise]:
    """Return every exercise of a package by "chapter.name", or those of one chapter.

    A chapter without a module of exercises has none.
    """
    chapters = [module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)]
    return {
        f"{one}.{name}": value
        for one in chapters
        if chapter in (None, one)
        for name, value in vars(importlib.import_module(f"{package}.{one}")).items()
        if isinstance(value, Exercise)
    }


def complete(exercise: Exercise) -> Iterator[Finding]:
    """Yield what an exercise lacks: mistakes, their explanations, hints, several fresh inputs."""
    explanations = [mistake.__doc__ or "" for mistake in exercise.mistakes]
    if len(explanations) < 2:
        yield error(f"{len(explanations)} known mistakes, expected at least two that people really make")
    if len(exercise.hints) < 2:
        yield error(f"{len(exercise.hints)} hints, expected at least two, in steps")
    if len(set(explanations)) < len(explanations):
        yield error("two known mistakes have the same explanation")
    for mistake, text in zip(exercise.mistakes, explanations, strict=True):
        if len(text.split()) <= SHORTEST:
            yield error(f"the mistake {mistake.__name__} has no explanation of more than {SHORTEST} words")
    if exercise.inputs:
        count = len(list(exercise.inputs(0)))
        if count < 3:
            yield error(f"{count} inputs, expected at least three, with edge sizes among them")
        if repr(exercise.inputs(1)) == repr(exercise.inputs(2)):
            yield error("the inputs of two seeds are the same, expected fresh ones for each")
    reference = exercise.reference
    tree = ast.parse(textwrap.dedent(inspect.getsource(reference)))
    if reference.__name__ in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        # In the module that name is the exercise by then: the call raises, and raising becomes the right answer.
        yield error("the reference calls itself by name: give it an inner function that calls itself")


def anonymous(function: Callable) -> str:
    """Return the source of a reference or mistake as that of something called `answer`, without docstring."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    node.name, node.decorator_list = "answer", []
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(node)


def retyped(function: Callable) -> Callable:
    """Return a copy of a reference that belongs to no module, as if a learner had typed it in a cell."""
    space = dict(vars(inspect.getmodule(function)))
    exec(compile(anonymous(function), f"<{function.__name__}, typed again>", "exec"), space)
    return space["answer"]


def handed_in(exercise: Exercise, function: Callable) -> object:
    """Return what a learner hands in: the function itself, or its value where a value is asked for."""
    return function() if exercise.inputs is None else function


def reference(exercise: Exercise, seeds: Sequence[int] = (1, 2, 3)) -> Iterator[Finding]:
    """Yield whether the reference, typed as a learner would, fails its own check or takes too long for it."""
    copy, seconds = retyped(exercise.reference), []
    for seed in seeds:  # fresh inputs at each
        start = time.perf_counter()
        verdict = exercise.check(handed_in(exercise, copy), seed=seed)
        seconds.append(time.perf_counter() - start)
        if not verdict.passed:
            yield error(f"the reference does not pass on seed {seed}: {verdict.message}")
    if min(seconds) >= MOST_SECONDS:  # the first may import for seconds, and any may wait for other programs
        yield error(f"the check of our own answer takes {min(seconds):.1f} s, expected less than {MOST_SECONDS}")


def cheap(exercise: Exercise, judging: Judging) -> Iterator[Finding]:
    """Yield each answer that needs no thought and is accepted."""
    given = [0, 1, -1, 0.5, "", ()] if exercise.inputs is None else [_first, _zeros, _nothing, _everything_caught]
    for answer in given:
        if judging.verdict(exercise, answer, 1).passed:
            yield error(f"a cheap answer is accepted: {getattr(answer, '__name__', repr(answer)).lstrip('_')}")


def asked(name: str, nb: NotebookNode) -> Iterator[Finding]:
    """Yield whether the notebook of an exercise "chapter.name" does not ask it exactly once."""
    question = name.partition(".")[2]
    cells = [cell for cell in nb.cells if EXERCISE in tags(cell)]
    found = sum(f"ex.{question}.check({question})" in cell.source for cell in cells)
    if found != 1:
        yield error(f"{found} cells of the notebook ask it with `ex.{question}.check({question})`, expected one")


def _first(*arguments):
    return arguments[0]


def _zeros(*arguments):
    return torch.zeros(2, 3)


def _nothing(*arguments):
    return None if arguments else 0


def _everything_caught(*arguments):
    try:
        return arguments[0].no_such_attribute
    except Exception:  # noqa: BLE001 - the answer that catches everything
        return torch.zeros(())
