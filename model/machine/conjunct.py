"""Conjuncts of inductive invariants, and predicates on a machine's states."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.values import Bool

Predicate = Callable[[S, L], Bool]
"""``predicate(state, limits)``: a condition on a state."""


@dataclass(frozen=True)
class Conjunct(Generic[S, L]):
    """One conjunct of an invariant, with a name and a sentence."""

    name: str
    sentence: str
    holds: Predicate[S, L]
    shared: bool = False
    """Whether the conjunct mentions only shared fields, so that every copy preserves it."""
