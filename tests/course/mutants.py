"""Small faults planted in a reference solution, to count what its check lets through."""

import ast
import copy
import inspect
import textwrap

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


def mutants(reference):
    """Every mutant of a function or class: list of (description, callable).

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
