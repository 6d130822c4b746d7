"""A user's function, to be run on lists of unknown length."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from types import FunctionType
from typing import Any

import z3

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.lists import Built, Given
from rebalance_proofs.proofs.code.loop import ONE, Counting
from rebalance_proofs.proofs.code.segments import PLACE, Element, Segment
from rebalance_proofs.proofs.code.source import Code
from rebalance_proofs.proofs.code.terms import term
from rebalance_proofs.proofs.own.simpler import SLICE, simpler

__all__ = ["OwnCode", "own_code"]

UNSAID = (TypeError, AttributeError, NameError)
"""What symbolic values raise where they have no meaning."""


class Unknown:
    """An argument that the code may pass on and not look at: the consumer group, an object's own self."""

    def __bool__(self) -> bool:
        raise Unsupported("looking at the consumer group, or at an object's own state")

    def __eq__(self, other: object) -> bool:
        raise Unsupported("looking at the consumer group, or at an object's own state")

    def __getattr__(self, name: str) -> object:
        raise Unsupported(f"reading the attribute {name!r} of an object")

    __hash__ = object.__hash__


@dataclass(frozen=True)
class OwnCode(Code):
    """``unread`` is how many arguments come before the consumer's id."""

    unread: int = 0

    def compiled(self, symbolic: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
        """As ``Code.compiled``, of simpler Python. What the code raises of its own is an ``AllocationError``."""
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
    """Of a function with three or four arguments, or of an object's. Raises ``Unsupported`` where there is no text."""
    plain = getattr(function, "__func__", function)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
    except (OSError, TypeError, SyntaxError) as error:
        raise Unsupported(f"code whose text cannot be read ({type(error).__name__})") from None
    (definition,) = tree.body if len(tree.body) == 1 else (None,)
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        raise Unsupported("what is no plain function: it is a lambda, or decorated")
    _calls_what_is_read(definition, plain, set())
    text = ast.unparse(simpler(definition))
    return OwnCode(text, plain, arguments - 3 + (plain is not function))


def _calls_what_is_read(definition: ast.FunctionDef, function: Callable[..., Any], seen: set[object]) -> None:
    """Raises ``Unsupported`` where the function, or one that it calls, calls what could answer another thing next time.

    What is called has to be a function whose text is read too, one of Python's own that stands for all numbers, an
    exception; or a method of what the function was given or has made.
    """
    seen.add(function)
    for node in ast.walk(definition):
        if not isinstance(node, ast.Call):
            continue
        root = node.func
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name) or root.id not in function.__globals__:
            continue
        called = function.__globals__[root.id]
        if isinstance(node.func, ast.Name) and isinstance(called, FunctionType):
            if called not in seen:
                (inner,) = ast.parse(textwrap.dedent(inspect.getsource(called))).body
                if isinstance(inner, ast.FunctionDef):
                    _calls_what_is_read(inner, called, seen)
        elif not (isinstance(node.func, ast.Name) and inspect.isclass(called) and issubclass(called, Exception)):
            raise Unsupported(f"a call of {ast.unparse(node.func)!r}, which is not read")


def sliced(listed: object, low: object, high: object, step: object) -> Built:
    """``mq_all[low:high:step]``. That no part is negative, and the step is positive, are guards."""
    if not isinstance(listed, Given):
        raise Unsupported("a slice of anything but mqAll")
    begin, end, by = (
        default if part is None else term(part)
        for part, default in ((low, z3.IntVal(0)), (high, listed.length), (step, ONE))
    )
    listed.run.guard(z3.And(begin >= 0, end >= 0, by > 0))
    counting = Counting(begin, z3.If(end > listed.length, listed.length, end), by)
    built = Built(listed.run)
    built.segments.append(Segment(counting.length, Element(begin + PLACE * by)))
    return built
