"""What generated faults change: each operator is given a syntax tree's node, and proposes other texts for parts of it.

A condition is negated; a comparison is the neighbouring one; an element of a list is dropped; a number is one more;
``any`` and ``all``, ``and`` and ``or``, ``min`` and ``max`` are exchanged. Sentences, annotations and names are left
alone: what they say is not what the checker computes.
"""

import ast
from collections.abc import Callable, Iterator, Mapping

Proposed = Iterator[tuple[ast.AST, str]]
"""A part of the node, and the text in its place."""

COMPARISONS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
"""Comparison -> how it is written, and its neighbour, or opposite where it has none."""
EXCHANGED = {"any": "all", "all": "any", "min": "max", "max": "min"}


def negated(node: ast.AST) -> Proposed:
    """A condition is the opposite."""
    conditions: list[ast.expr] = []
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        conditions = [node.test]
    elif isinstance(node, ast.comprehension):
        conditions = node.ifs
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp):
        conditions = [node.value]
    for condition in conditions:
        if not (isinstance(condition, ast.Name) and condition.id == "TYPE_CHECKING"):
            yield condition, f"(not ({ast.unparse(condition)}))"


def compared(node: ast.AST) -> Proposed:
    """A comparison with one operator is the neighbouring one."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        yield node, f"({left} {COMPARISONS[type(node.ops[0])][1]} {right})"


def dropped(node: ast.AST) -> Proposed:
    """An element of a list, tuple, set or mapping is missing, of those that have two at least."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 1 and isinstance(_context(node), ast.Load):
        for place in range(len(node.elts)):
            rest = [element for other, element in enumerate(node.elts) if other != place]
            yield node, ast.unparse(type(node)(rest, *([ast.Load()] if not isinstance(node, ast.Set) else [])))
    elif isinstance(node, ast.Dict) and len(node.keys) > 1:
        for place in range(len(node.keys)):
            keys = [key for other, key in enumerate(node.keys) if other != place]
            yield node, ast.unparse(ast.Dict(keys, [one for other, one in enumerate(node.values) if other != place]))


def moved(node: ast.AST) -> Proposed:
    """A number is one more; a truth value is the other."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(node.value + 1)


def exchanged(node: ast.AST) -> Proposed:
    """``any`` is ``all``, ``min`` is ``max``, ``and`` is ``or``, and the other way round."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EXCHANGED:
        yield node.func, EXCHANGED[node.func.id]
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, f"({ast.unparse(ast.BoolOp(other, node.values))})"


OPERATORS: Mapping[str, Callable[[ast.AST], Proposed]] = {
    "condition negated": negated,
    "comparison changed": compared,
    "element dropped": dropped,
    "constant moved": moved,
    "quantifier exchanged": exchanged,
}


def _context(node: ast.List | ast.Tuple | ast.Set) -> ast.expr_context:
    return ast.Load() if isinstance(node, ast.Set) else node.ctx
