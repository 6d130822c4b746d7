"""Wrong encodings that an obligation cannot notice: no part is wrong that it asks for anything."""

from dataclasses import fields
from functools import cache
from typing import Any

from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.teeth.free import freed

__all__ = ["asked", "untouched"]


@cache
def asked(obligation: Obligation, encoding: Any) -> frozenset[str]:
    """The parts of the encoding that the obligation's statement asks for something."""
    free = freed(encoding)
    before = len(free.called)
    obligation._stated(free.encoding, {})  # anew: what is kept calls nothing
    return frozenset(free.called[before:])


def untouched(obligation: Obligation, right: Any, wrong: Any) -> bool:
    """Each part that it asks of ``right`` is the very same in ``wrong``.

    False says nothing: what is made anew may come to the same.
    """
    if type(right) is not type(wrong):
        return False
    differ = {field.name for field in fields(right) if getattr(right, field.name) is not getattr(wrong, field.name)}
    known = {name for name, part in vars(freed(right).encoding).items() if part is not getattr(right, name)}
    return differ <= known - asked(obligation, right)
