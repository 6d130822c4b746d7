"""A user-defined strategy function, prepared for symbolic execution.

The lists of queues and consumers have unknown length.
"""

import ast
import builtins as python
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from types import FunctionType
from typing import Any, NoReturn

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.lists import NAMES, Built, Given
from rebalance_proofs.proofs.code.run import ONE, PLACE, Counting, Element, Segment, Unsupported
from rebalance_proofs.proofs.code.source import Code, local_names
from rebalance_proofs.proofs.code.terms import term

# Translation of user-defined code into the supported fragment of Python.
# Comprehensions become loops, slices become calls, and divmod becomes two operators. This translation is trusted,
# like the symbolic execution itself; it is short enough to review.

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


# Check that a user-defined function only uses names with the same meaning at every call.

CONSTANT = (int, str, bool, type(None))
ATTRIBUTES = ("append", "index")
TAKEN = re.compile(f"{SLICE}|made_[0-9]+")
"""Pattern of names that ``simpler`` adds to the code; the user's code may not use them."""


def definition_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the parsed definition of a function.

    Raises ``Unsupported`` if its source is missing or different.
    """
    if hasattr(function, "__wrapped__"):
        raise Unsupported("a function that is a lambda or decorated")  # the source text is another function's
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError) as error:
        raise Unsupported(f"code whose source text cannot be read ({type(error).__name__})") from None
    (definition,) = tree.body if len(tree.body) == 1 else (None,)
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        raise Unsupported("a function that is a lambda or decorated")
    return definition


def check_reads(definition: ast.FunctionDef, function: Callable[..., Any]) -> Mapping[str, str]:
    """Return the constants that the function, and functions it calls, read from its module.

    Keys are names, values are texts by ``repr``. Allowed are numbers, strings, Booleans, None and tuples of these.
    Their current values are returned because another load of the module may compute others. Calls of other functions
    are checked too, and exceptions may be raised. Raises ``Unsupported`` for any other name, because its meaning may
    change between calls.
    """
    constants: dict[str, str] = {}
    _check(definition, function, set(), constants)
    return constants


def _check(
    definition: ast.FunctionDef, function: Callable[..., Any], seen: set[object], constants: dict[str, str]
) -> None:
    seen.add(function)
    for default in (*definition.args.defaults, *filter(None, definition.args.kw_defaults)):
        if not isinstance(default, ast.Constant):  # computed before the function's other names were set
            raise Unsupported(f"an argument with the default value {ast.unparse(default)!r}")
    known = function.__globals__ | dict(inspect.getclosurevars(function).nonlocals)
    local = local_names(definition)
    called = {id(node.func): node for node in ast.walk(definition) if isinstance(node, ast.Call)}
    raised = {
        id(inner)
        for node in ast.walk(definition)
        if isinstance(node, ast.Raise) and node.exc
        for inner in (node.exc, node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
    }
    for node in ast.walk(definition):
        if isinstance(node, ast.Call):
            _check_call(node, known, local)
    for node in ast.walk(definition):
        match node:
            case ast.Name(id=name):
                if TAKEN.fullmatch(name) or name == definition.name or (name == "list" and name in {*known, *local}):
                    raise Unsupported(f"the name {name!r}, which is reserved here")
                if name in local or name not in known:
                    continue
                value = known[name]
                if _constant(value):
                    _note(name, value, constants)
                    continue
                if id(node) in raised and _exception(value):
                    continue
                if id(node) in called and isinstance(value, FunctionType) and name in function.__globals__:
                    if value not in seen:
                        _check(definition_of(value), value, seen, constants)
                    continue
                raise Unsupported(f"{name!r}, a {type(value).__name__}, which may differ between calls")
    for node in ast.walk(definition):
        match node:
            case ast.Attribute(attr=attribute) if attribute not in ATTRIBUTES:
                raise Unsupported(f"the attribute {attribute!r}")
            case ast.Starred():
                raise Unsupported("arguments with a star")
            case ast.Compare(left=left, ops=ops, comparators=others):
                for op, one, other in zip(ops, (left, *others), others, strict=False):
                    if isinstance(op, (ast.Is, ast.IsNot)) and not (_none(one) or _none(other)):
                        raise Unsupported("'is' with anything other than None")


def _note(name: str, value: object, constants: dict[str, str]) -> None:
    """Record that the code reads a constant with this value.

    Raises ``Unsupported`` if another module has another value under the same name.
    """
    if constants.setdefault(name, repr(value)) != repr(value):
        raise Unsupported(f"two values of the name {name!r}")


def _check_call(node: ast.Call, known: dict[str, Any], local: set[str]) -> None:
    root: ast.expr = node.func
    while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or root.id in local:
        return
    value = known.get(root.id)
    plain = isinstance(node.func, ast.Name)
    if root.id in known and not (plain and (isinstance(value, FunctionType) or _exception(value))):
        raise Unsupported(f"a call of {ast.unparse(node.func)!r}, which is not supported")
    if root.id not in known and plain and root.id not in (*NAMES, "divmod") and not _exception(_of_python(root.id)):
        raise Unsupported(f"a call of {root.id!r}, which is not supported")


def _of_python(name: str) -> object:
    return getattr(python, name, None)


def _none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _exception(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def _constant(value: object) -> bool:
    """Return whether a value is a number, string, Boolean, None or a tuple of these.

    A subclass of int is none of them: it may behave differently.
    """
    return type(value) in CONSTANT or (type(value) is tuple and all(map(_constant, value)))


UNSAID = (TypeError, AttributeError, NameError)
"""Exceptions by which a symbolic value rejects an operation that it does not support."""


class Unknown:
    """A symbolic argument that the code may pass on but not inspect.

    It is the consumer group, or an object's ``self``.
    """

    def _looked_at(self, *of: object) -> NoReturn:
        raise Unsupported("reading the consumer group, or an object's own state")

    __bool__ = __eq__ = __ne__ = __hash__ = __str__ = __repr__ = __format__ = _looked_at

    def __getattr__(self, name: str) -> object:
        raise Unsupported(f"reading the attribute {name!r} of an object")


@dataclass(frozen=True)
class OwnCode(Code):
    """A user-defined function, with its source text.

    ``unread`` is the number of arguments before the consumer's id, which the code may not inspect.
    """

    unread: int
    constants: Mapping[str, str] = field(default_factory=dict)
    """Constants that the function may read, with their values at loading time.

    They belong to its module and to enclosing functions.
    """

    def compiled(self, symbolic: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
        """Return the function compiled with ``symbolic`` in place of Python's builtins.

        The code is simplified first; see ``Code.compiled``. Exceptions that the code itself raises become
        ``AllocationError``.
        """
        function = super().compiled({**symbolic, SLICE: sliced})

        @wraps(function)
        def called(*arguments: object) -> object:
            try:
                return function(*[Unknown()] * self.unread, *arguments)
            except (Unsupported, AllocationError):
                raise
            except UNSAID as error:
                raise Unsupported(f"{type(error).__name__}: {error}") from error
            except Exception as error:
                raise AllocationError(f"{type(error).__name__}: {error}") from error

        return called


def own_code(function: Callable[..., Any], arguments: int) -> OwnCode:
    """Return the code of a function with that number of arguments (three or four).

    A method has as many besides ``self``. Raises ``Unsupported`` if the source text cannot be read.
    """
    plain = getattr(function, "__func__", function)
    definition = definition_of(plain)
    constants = check_reads(definition, plain)
    text = ast.unparse(simpler(definition))
    return OwnCode(text, plain, arguments - 3 + (plain is not function), constants)


def sliced(listed: object, low: object, high: object, step: object) -> Built:
    """Return the symbolic list ``listed[low:high:step]``, for ``listed`` being mq_all.

    Guards require that no part is negative, and that the step is positive.
    """
    if not isinstance(listed, Given):
        raise Unsupported("a slice of anything other than mqAll")
    begin, end, by = (
        default if part is None else term(part)
        for part, default in ((low, smt.IntVal(0)), (high, listed.length), (step, ONE))
    )
    listed.run.guard(smt.And(begin >= 0, end >= 0, by > 0))
    counting = Counting(begin, smt.If(end > listed.length, listed.length, end), by)
    built = Built(listed.run)
    built.segments.append(Segment(counting.length, Element(begin + PLACE * by)))
    return built
