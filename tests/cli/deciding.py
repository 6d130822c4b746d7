"""The code that decides exit statuses: its parts, copies without a part, and what it is computed from."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import FunctionType
from typing import Any

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.replay.file import NotATrace


def decides(module: str, function: str) -> ast.FunctionDef:
    """Return the parsed source of a function or method."""
    found: Any = import_module(f"rebalance_proofs.{module}")
    for name in function.split("."):
        found = vars(found)[name]
    found = getattr(found, "callback", None) or getattr(found, "fget", None) or getattr(found, "func", None) or found
    (parsed,) = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    assert isinstance(parsed, ast.FunctionDef)
    parsed.decorator_list = []
    for inner in ast.walk(parsed):
        if isinstance(inner, ast.AnnAssign):
            inner.annotation = ast.Name("object", ast.Load())
        if isinstance(inner, ast.arg):
            inner.annotation = None
    found = _Silent().visit(parsed)
    assert isinstance(found, ast.FunctionDef)
    return found


class _Silent(ast.NodeTransformer):
    """Leaves out what a function prints, which decides nothing."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        printed = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "print"
        return ast.Pass() if printed else node

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if all(isinstance(one, ast.Pass) for one in (*node.body, *node.orelse)) else node


def expression(parsed: ast.FunctionDef, what: str) -> ast.expr:
    """Return the expression that a function returns last, or that it gives a variable last."""
    if what.endswith("()"):
        calls = [node for node in ast.walk(parsed) if isinstance(node, ast.Call)]
        return next(call.args[-1] for call in reversed(calls) if ast.unparse(call.func) == what[:-2])
    found = [
        node.value
        for node in ast.walk(parsed)
        if isinstance(node, ast.Return if what == "return" else ast.Assign)
        and (what == "return" or ast.unparse(node).startswith(f"{what} = "))
    ]
    assert found, what
    return max(filter(None, found), key=lambda node: node.lineno)


def value(module: str, node: ast.FunctionDef | ast.expr, variables: Mapping[str, Any]) -> Any:
    """Compute an expression, or call a function, in a module."""
    names = {**vars(import_module(f"rebalance_proofs.{module}")), **variables}
    if isinstance(node, ast.FunctionDef):
        exec(compile(ast.fix_missing_locations(ast.Module([node], [])), module, "exec"), names)
        return names[node.name](*(variables.get(argument.arg) for argument in node.args.args))
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), module, "eval"), names)


def result(module: str, node: ast.FunctionDef | ast.expr, variables: Mapping[str, Any]) -> Any:
    """Compute a status or a part of it; the number of results if it is a collection of them.

    A wrong call or input is the type of its error, and the end of the process is its status.
    """
    try:
        found = value(module, node, variables)
    except SystemExit as ended:
        return ended.code
    except (UsageError, NotATrace) as error:
        return type(error)
    if isinstance(found, Iterator):
        found = list(found)
    return len(found) if isinstance(found, list | set | frozenset) else found


def mutants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield copies with one operand, condition or negation left out, or one operator or number exchanged."""
    for place, inner in enumerate(ast.walk(node)):
        for number in range(len(_changes(inner))):
            mutant = deepcopy(node)
            target = list(ast.walk(mutant))[place]
            new = _changes(target)[number]
            if target is mutant:
                yield new
            else:
                yield _Exchange(target, new).visit(mutant)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self._new if node is self._old else self.generic_visit(node)


_COMPARED = {ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Is: ast.IsNot, ast.In: ast.NotIn}
_COMPARED |= {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.IsNot: ast.Is}
"""Comparison -> another one."""


def _changes(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.BoolOp(op, values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            fewer = [[*values[:at], *values[at + 1 :]] for at in range(len(values))]
            return [ast.BoolOp(other, values), *(ast.BoolOp(op, few) if len(few) > 1 else few[0] for few in fewer)]
        case ast.BinOp(left, ast.BitOr() | ast.Add(), right):
            return [left, right]
        case ast.UnaryOp(ast.Not(), operand):
            return [operand]
        case ast.IfExp(_, body, otherwise):
            return [body, otherwise]
        case ast.Call(ast.Name("any" | "all" as name), args):
            return [ast.Call(ast.Name("all" if name == "any" else "any", ast.Load()), args, [])]
        case ast.comprehension(target, iterated, [_, *_] as conditions):
            return [
                ast.comprehension(target, iterated, conditions[:at] + conditions[at + 1 :], 0)
                for at in range(len(conditions))
            ]
        case ast.Compare(left, [operator], right) if type(operator) in _COMPARED:
            return [ast.Compare(left, [_COMPARED[type(operator)]()], right)]
        case ast.Constant(bool()):
            return []
        case ast.Constant(int() as number):
            return [ast.Constant(number + 1)]
        case ast.If(_, body, otherwise):
            return [ast.If(ast.Constant(True), body, otherwise), ast.If(ast.Constant(False), body, otherwise)]
    return []


ENDS = "sys.exit", "os._exit", "ctx.exit", "SystemExit"
"""Functions that end a process with a status."""
SHIPPED = "recorded", "report", "proofs", "spark_enum", "evidence", "model"
"""Packages besides ``cli`` with modules that are run with ``python -m``."""
ENDING = re.compile(r"(?:sys\.exit|raise SystemExit)\((\w+)\(.*\)\)\s*$")
"""The last line of a module that ends with a function's status."""


def mains() -> set[tuple[str, str]]:
    """Return the functions with whose status a module that is run with ``python -m`` ends."""
    found = set()
    for package in SHIPPED:
        root = Path(str(files(f"rebalance_proofs.{package}")))
        for path in root.rglob("*.py"):
            match = ENDING.search(path.read_text(encoding="utf-8"))
            if match:
                found.add((".".join((package, *path.relative_to(root).with_suffix("").parts)), match[1]))
    return found


@cache
def returns() -> Mapping[tuple[str, str], Sequence[ast.expr | None]]:
    """Return what the functions of commands and modules return, and the functions that they call for it."""
    left = [(f"cli.{place.module}", place.function) for place in COMMANDS.values()] + sorted(mains())
    found: dict[tuple[str, str], Sequence[ast.expr | None]] = {}
    while left:
        module, function = which = left.pop()
        if which not in found:
            parsed = decides(module, function)
            nested = {part for one in ast.walk(parsed) if _inner(one, parsed) for part in ast.walk(one)}
            every = [one for one in ast.walk(parsed) if isinstance(one, ast.Return) and one not in nested]
            every.sort(key=lambda one: one.lineno)
            found[which] = [one.value for one in every]
            left += [called for one in every if (called := passed(module, one.value))]
    return found


def _inner(node: ast.AST, whole: ast.AST) -> bool:
    return node is not whole and isinstance(node, ast.FunctionDef | ast.Lambda)


def passed(module: str, value: ast.expr | None) -> tuple[str, str] | None:
    """Return the function whose status is returned: one of the command line or of the module; None if it is none."""
    if not isinstance(value, ast.Call):
        return None
    called = eval(ast.unparse(value.func), dict(vars(import_module(f"rebalance_proofs.{module}"))))
    place = getattr(called, "__module__", "").removeprefix("rebalance_proofs.")
    return (place, called.__qualname__) if place.startswith("cli.") or place == module else None


def said(which: tuple[str, str]) -> str:
    """Return what a function returns, in words: ``0 cli.finish.finish *``."""
    return " ".join(word(which[0], value) for value in returns()[which])


def word(module: str, value: ast.expr | None) -> str:
    """Return a constant that is returned, the function whose status is returned, or a star."""
    if value is None or isinstance(value, ast.Constant):
        return ast.unparse(value) if value else "None"
    called = passed(module, value)
    return ".".join(called) if called else "*"


def used(module: str, function: str, node: ast.AST) -> set[tuple[str, str]]:
    """Return the functions, and the properties and methods of the same record, from which a value is computed."""
    names = vars(import_module(f"rebalance_proofs.{module}"))
    owner, _, _ = function.rpartition(".")
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "self" and owner:
            kind = inspect.getattr_static(names[owner], one.attr, None)
            if isinstance(kind, property | cached_property | FunctionType):
                found.add((module, f"{owner}.{one.attr}"))
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            called = names.get(one.func.id)
            if isinstance(called, FunctionType) and called.__module__.startswith("rebalance_proofs."):
                found.add((called.__module__.removeprefix("rebalance_proofs."), called.__qualname__))
    return found - {(module, function)}


def exits() -> set[tuple[str, str]]:
    """Return (module, code) of each end of a process in the code."""
    found = set()
    whole = Path(str(files("rebalance_proofs")))
    for package in ("", "cli", *SHIPPED):
        root = whole / package
        for path in root.rglob("*.py") if package else root.glob("*.py"):
            place = ".".join(path.relative_to(whole).with_suffix("").parts)
            text = path.read_text(encoding="utf-8")
            every = ast.walk(ast.parse(text)) if any(end in text for end in ENDS) else ()
            calls = [one for one in every if isinstance(one, ast.Call) and ast.unparse(one.func) in ENDS]
            found |= {(place, ast.unparse(one)) for one in calls}
    return found
