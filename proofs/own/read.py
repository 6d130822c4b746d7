"""Check that a user-defined function only uses names with the same meaning at every call."""

import ast
import builtins as python
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from rebalance_proofs.proofs.code.builtins_ import NAMES
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.fragment import local_names
from rebalance_proofs.proofs.own.simpler import SLICE

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
