"""An encoding of which nothing is known: unknown functions of the same arguments in the place of its parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import Any

import z3

__all__ = ["Free", "freed"]

GIVEN = ("in_room", "possible")
"""Parts that obligations hold others against: what a name says, and what queues can throw at each other."""


@dataclass(frozen=True)
class Free:
    """The encoding, and which of its parts have been called."""

    encoding: Any
    called: list[str]


@cache
def freed(encoding: Any) -> Free:
    """Every part of the encoding that is a function gives unknown functions of its arguments.

    Where a part gives a record (a client's step), its form is kept, which is the same for all arguments; each of its
    terms is an unknown, the same for the same arguments.
    """
    called: list[str] = []
    forms: dict[str, Any] = {}

    def unknown(name: str, part: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            called.append(name)
            terms = list(_terms(arguments))
            if name not in forms:
                forms[name] = part(*arguments)
            result = forms[name]
            if z3.is_expr(result):
                return z3.Function(name, *(term.sort() for term in terms), result.sort())(*terms)
            # Named by its arguments: a count would depend on what this process has asked before.
            key = "\n".join(term.sexpr() for term in terms)
            return _unknown(result, f"{name}-{blake2b(key.encode(), digest_size=4).hexdigest()}")

        return call

    parts = {field.name: getattr(encoding, field.name) for field in fields(encoding) if field.name not in GIVEN}
    free = {name: unknown(name, part) for name, part in parts.items() if callable(part) and not is_dataclass(part)}
    return Free(replace(encoding, **free), called)


def _terms(value: Any) -> Iterator[z3.ExprRef]:
    """The terms in arguments, in order."""
    if z3.is_expr(value):
        yield value
    elif isinstance(value, bool):
        yield z3.BoolVal(value)
    elif isinstance(value, int):
        yield z3.IntVal(value)
    elif is_dataclass(value):
        yield from _terms([getattr(value, field.name) for field in fields(value)])
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _terms(part)


def _unknown(result: Any, name: str) -> Any:
    """A record of the same form; with unknowns in it, rather than functions of very many arguments."""
    if z3.is_expr(result):
        return z3.Const(name, result.sort())
    if is_dataclass(result) and not isinstance(result, type):
        return replace(result, **{part: _unknown(value, f"{name}.{part}") for part, value in vars(result).items()})
    if isinstance(result, (tuple, list)):
        return type(result)(_unknown(part, f"{name}.{place}") for place, part in enumerate(result))
    return result
