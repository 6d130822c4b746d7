"""Translation of user-defined code into the supported fragment of Python.

Comprehensions become loops, slices become calls, and divmod becomes two operators. This translation is trusted, like
the symbolic execution itself; it is short enough to review.
"""

import ast
from collections.abc import Iterator

from rebalance_proofs.proofs.code.errors import Unsupported

SLICE = "a_slice_of"
"""The name of the function that replaces a slice.

Its arguments are the list and the slice's parts or None.
"""


def simpler(function: ast.FunctionDef) -> ast.FunctionDef:
    """Simplify the function in place and return it.

    Raises ``Unsupported`` for code that cannot be translated.
    """
    function.body = list(_block(function.body, _Names()))
    changed = _Slices().visit(function)
    assert isinstance(changed, ast.FunctionDef)
    return ast.fix_missing_locations(changed)


class _Names:
    """Generator of new names that do not occur in the code."""

    def __init__(self) -> None:
        self._number = 0

    def new(self) -> str:
        self._number += 1
        return f"made_{self._number}"


def _block(statements: list[ast.stmt], names: _Names) -> Iterator[ast.stmt]:
    for statement in statements:
        for part in ("body", "orelse"):
            if isinstance(statement, (ast.If, ast.For)):
                setattr(statement, part, list(_block(getattr(statement, part), names)))
        yield from _statement(statement, names)


def _statement(statement: ast.stmt, names: _Names) -> Iterator[ast.stmt]:
    match statement:
        case ast.Return(value=ast.ListComp() as made) | ast.Assign(targets=[ast.Name()], value=ast.ListComp() as made):
            name = names.new()
            yield from _loop(made, name)
            statement.value = _name(name)
            yield statement
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            yield _set(name, ast.BinOp(_name(name), op, value), statement)
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)])],
            value=ast.Call(func=ast.Name(id="divmod"), args=[number, divisor], keywords=[]),
        ):
            yield from _together(
                [first, second],
                [ast.BinOp(number, ast.FloorDiv(), divisor), ast.BinOp(number, ast.Mod(), divisor)],
                names,
                statement,
            )
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            if not all(isinstance(one, ast.Name) for one in targets):
                raise Unsupported(f"an assignment to anything other than names, line {statement.lineno}")
            yield from _together([one.id for one in targets if isinstance(one, ast.Name)], values, names, statement)
        case _:
            yield statement


def _together(targets: list[str], values: list[ast.expr], names: _Names, where: ast.stmt) -> Iterator[ast.stmt]:
    """Translate a simultaneous assignment to several targets.

    All values are assigned to new names before the first target is set.
    """
    made = [names.new() for _ in targets]
    for name, value in zip(made, values, strict=True):
        yield _set(name, value, where)
    for target, name in zip(targets, made, strict=True):
        yield _set(target, _name(name), where)


def _loop(made: ast.ListComp, name: str) -> Iterator[ast.stmt]:
    if len(made.generators) != 1:
        raise Unsupported(f"a comprehension with several loops, line {made.lineno}")
    (loop,) = made.generators
    yield _set(name, ast.List([], ast.Load()), made)
    append: ast.stmt = ast.Expr(ast.Call(ast.Attribute(_name(name), "append", ast.Load()), [made.elt], []))
    for condition in reversed(loop.ifs):
        append = ast.If(condition, [append], [])
    yield ast.copy_location(ast.For(loop.target, loop.iter, [append], []), made)


def _set(name: str, value: ast.expr, where: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), where)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class _Slices(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice):
            return node
        parts = [part or ast.Constant(None) for part in (node.slice.lower, node.slice.upper, node.slice.step)]
        return ast.copy_location(ast.Call(_name(SLICE), [node.value, *parts], []), node)
