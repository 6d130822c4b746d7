"""An encoding whose parts are replaced by unknown functions of the same arguments.

An obligation that still holds says nothing about the encoding.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.obligation import Obligation

GIVEN = ("in_room", "possible")
"""Names of parts that are not replaced, because obligations compare other parts with them.

They are the meaning of a name, and the errors of queues.
"""


@dataclass(frozen=True)
class Free:
    """An encoding of unknown functions, with a record of the parts that were called."""

    encoding: Any
    called: list[str]


@cache
def freed(encoding: Any) -> Free:
    """Return the encoding with every function replaced by an unknown function of its arguments.

    A part that returns a record (a client's step) must return the same fields for all arguments. Each term of the
    record becomes an unknown that is the same for the same arguments.
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
            if smt.is_expr(result):
                return smt.Function(name, *(term.sort for term in terms), result.sort)(*terms)
            # The name comes from the arguments: a counter would depend on earlier queries of this process.
            key = "\n".join(term.fingerprint for term in terms)
            return _unknown(result, f"{name}-{blake2b(key.encode(), digest_size=4).hexdigest()}")

        return call

    parts = {field.name: getattr(encoding, field.name) for field in fields(encoding) if field.name not in GIVEN}
    free = {name: unknown(name, part) for name, part in parts.items() if callable(part) and not is_dataclass(part)}
    return Free(replace(encoding, **free), called)


def _terms(value: Any) -> Iterator[smt.Term]:
    """Yield the terms that occur in a value, in order."""
    if smt.is_expr(value):
        yield value
    elif isinstance(value, bool):
        yield smt.BoolVal(value)
    elif isinstance(value, int):
        yield smt.IntVal(value)
    elif is_dataclass(value):
        yield from _terms([getattr(value, field.name) for field in fields(value)])
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _terms(part)


def _unknown(result: Any, name: str) -> Any:
    """Return a record of the same type, with an unknown for each of its terms.

    Unknown functions would have very many arguments.
    """
    if smt.is_expr(result):
        return smt.Const(name, result.sort)
    if is_dataclass(result) and not isinstance(result, type):
        return replace(result, **{part: _unknown(value, f"{name}.{part}") for part, value in vars(result).items()})
    if isinstance(result, (tuple, list)):
        return type(result)(_unknown(part, f"{name}.{place}") for place, part in enumerate(result))
    return result


# Mutants that cannot break an obligation, because it uses none of their wrong parts.


@cache
def asked(obligation: Obligation, encoding: Any) -> frozenset[str]:
    """Return the names of the encoding's parts that the obligation's statement uses."""
    free = freed(encoding)
    before = len(free.called)
    obligation._stated(free.encoding, {})  # computed again: a cached statement calls nothing
    return frozenset(free.called[before:])


def untouched(obligation: Obligation, right: Any, wrong: Any) -> bool:
    """Return whether every part that the obligation uses is the same in both encodings.

    Parts are compared by identity, so that False proves nothing: two different objects may be equal parts.
    """
    if type(right) is not type(wrong):
        return False
    differ = {field.name for field in fields(right) if getattr(right, field.name) is not getattr(wrong, field.name)}
    known = {name for name, part in vars(freed(right).encoding).items() if part is not getattr(right, name)}
    return differ <= known - asked(obligation, right)


# Mutants of encodings that belong to no guarantee ("slips").
# Each kind of claims has its own (``Kind.slips``). A mutant that breaks a guarantee is wrong in a way that an example
# group shows. A slip is wrong in one part or, for a machine, in one respect of every action. Sometimes only a proof
# shows the difference: a wrong owner is named, or a list is built in another order. Some obligation must fail for
# each slip.


def as_mutants(*wrong: tuple[str, str, Any]) -> tuple[Mutant, ...]:
    """Return mutants made of (name, fault, encoding) triples, for no specific guarantee."""
    return tuple(Mutant(name, sentence, encoding, breaks="") for name, sentence, encoding in wrong)
