"""A user-defined strategy function, prepared for symbolic execution.

The lists of queues and consumers have unknown length.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NoReturn

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.lists import Built, Given
from rebalance_proofs.proofs.code.loop import ONE, Counting
from rebalance_proofs.proofs.code.segments import PLACE, Element, Segment
from rebalance_proofs.proofs.code.source import Code
from rebalance_proofs.proofs.code.terms import term
from rebalance_proofs.proofs.own.read import check_reads, definition_of
from rebalance_proofs.proofs.own.simpler import SLICE, simpler

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
