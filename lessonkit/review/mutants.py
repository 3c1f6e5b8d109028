"""Mutation testing of checks: plant small faults in a reference, and report those that its check accepts."""

import ast
import copy
import inspect
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from lessonkit.checks.exercise import Exercise
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import Finding, error
from lessonkit.review.exercises import handed_in

_SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def _variants(node):
    """Yield (description, replacement) for one node of a syntax tree; the replacement None drops a statement."""
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in _SWAPS:
        other = copy.deepcopy(node)
        other.op = _SWAPS[type(node.op)]()
        yield f"{type(node.op).__name__} -> {type(other.op).__name__}", other
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        other = copy.deepcopy(node)
        other.ops[0] = _SWAPS[type(node.ops[0])]()
        yield f"{type(node.ops[0]).__name__} -> {type(other.ops[0]).__name__}", other
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value} -> {not node.value}", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield f"{node.value} -> {node.value + 1}", ast.Constant(node.value + 1)
        if node.value:
            yield f"{node.value} -> 0", ast.Constant(type(node.value)(0))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield f"{type(node.op).__name__} dropped", node.operand
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.With)) and not (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ):
        yield f"line dropped: {ast.unparse(node).splitlines()[0]}", None
    if isinstance(node, ast.With):
        yield "with dropped", node.body
    if isinstance(node, ast.Call) and node.keywords:
        for position, keyword in enumerate(node.keywords):
            other = copy.deepcopy(node)
            del other.keywords[position]
            yield f"argument dropped: {ast.unparse(keyword)}", other


class _Replace(ast.NodeTransformer):
    def __init__(self, target, replacement):
        self.target, self.replacement = target, replacement

    def generic_visit(self, node):
        for field, values in ast.iter_fields(node):
            if isinstance(values, list):
                kept = [new for value in values for new in self._one(value)]
                # A body that lost its only statement still needs one.
                setattr(node, field, kept or ([ast.Pass()] if values and field in ("body", "finalbody") else []))
            elif isinstance(values, ast.AST):
                setattr(node, field, self._one(values)[0])
        return node

    def _one(self, value):
        if value is self.target:
            if self.replacement is None:
                return []
            return self.replacement if isinstance(self.replacement, list) else [self.replacement]
        return [self.generic_visit(value) if isinstance(value, ast.AST) else value]


@lru_cache(maxsize=1)  # they are counted, then judged; of one exercise at a time, as each holds a namespace
def mutants(reference: Callable) -> list[tuple[str, Callable]]:
    """Return every mutant of a function or class: list of (description, callable).

    Operators, comparisons, constants, dims, signs, keyword arguments, `with` blocks and whole statements are
    changed one at a time. The callables live in a copy of the reference's own module namespace.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(reference)))
    space = inspect.getmodule(reference).__dict__
    found = []
    for number, node in enumerate(ast.walk(tree)):
        for description, replacement in _variants(node):
            changed = copy.deepcopy(tree)
            target = next(other for index, other in enumerate(ast.walk(changed)) if index == number)
            _Replace(target, replacement).generic_visit(changed)
            module = ast.fix_missing_locations(changed)
            scope = dict(space)
            line = getattr(node, "lineno", 0)
            exec(compile(module, f"<mutant of {reference.__name__}>", "exec"), scope)
            found.append((f"line {line}: {description}", scope[reference.__name__]))
    return found


def read_equivalent(folder: Path) -> dict[str, dict[str, str]]:
    """Return the mutants that behave like their reference, by exercise: {description: why it makes no difference}.

    They stand in `equivalent_mutants.toml` of the folder of answers; without the file there are none.
    """
    path = folder / "equivalent_mutants.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def refused(
    exercise: Exercise, equivalent: dict[str, str], *, judging: Judging, thorough: bool = False
) -> Iterator[Finding]:
    """Yield each mutant of the reference that is accepted and not listed, and each listed one that is refused.

    A mutant is judged on one of three seeds, in turn; with `thorough` on each of the three.
    """
    tried = mutants(exercise.reference)
    least = 2 if exercise.inputs else 1
    if len(tried) < least:
        yield error(f"{len(tried)} mutants, expected at least {least}: is the reference more than a call?")
    accepted = set()
    for number, (description, mutant) in enumerate(tried):
        try:
            answer = handed_in(exercise, mutant)
        except Exception:  # noqa: BLE001 - a value exercise whose mutant raises has no value to hand in
            continue
        chosen = (1, 2, 3) if thorough else (1 + number % 3,)
        if any(judging.verdict(exercise, answer, seed).passed for seed in chosen):
            accepted.add(description)
    for description in sorted(accepted - set(equivalent)):
        yield error(f"a mutant is accepted, and equivalent_mutants.toml gives no reason: {description}")
    for description in sorted(set(equivalent) - accepted):
        yield error(f"equivalent_mutants.toml lists a mutant that is refused or does not exist: {description}")


def reasons(equivalent: dict[str, dict[str, str]], names: set[str]) -> Iterator[Finding]:
    """Yield entries of equivalent_mutants.toml for an exercise that there is not, or without a reason."""
    for name, listed in equivalent.items():
        if name not in names:
            yield error(f"equivalent_mutants.toml lists {name}, and there is no such exercise")
        for description, reason in listed.items():
            if len(reason.split()) <= 3:
                yield error(
                    f"equivalent_mutants.toml, {name}: {description!r} has no reason of more than three words"
                )
