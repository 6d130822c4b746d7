"""Mutants that cannot break an obligation, because it uses none of their wrong parts."""

from dataclasses import fields
from functools import cache
from typing import Any

from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.obligation import Obligation


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
