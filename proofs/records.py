"""Unknowns by name, and terms computed from them once for all obligations.

Truth values are represented as 0 or 1.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from rebalance_proofs.model.terms import smt

Made = TypeVar("Made", bound=Callable[..., Any])


class Unknowns(SimpleNamespace):
    """Terms by name.

    An instance equals only itself, so that results computed from it can be cached by identity.
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # SimpleNamespace has none
        return id(self)


def made_once(make: Made) -> Made:
    """Return ``make`` with a cache, so that obligations about the same unknowns share its terms."""
    return cast(Made, lru_cache(64)(make))


def truths(v: SimpleNamespace, names: Iterable[str]) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the unknowns of these names are 0 or 1."""
    return {"every flag is 0 or 1": smt.And([smt.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names])}
