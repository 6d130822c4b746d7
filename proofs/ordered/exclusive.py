"""Proof that a consumer holds the broker's lock while its listener runs.

The proof covers every action, and any number of other consumers.
"""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.obligation import Obligation, Statement, truths
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import asked
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, Proof, made, proof, runs
from rebalance_proofs.proofs.ordered.invariant import invariant
from rebalance_proofs.proofs.ordered.timed import OTHERS, OTHERS_FLAGS, one, other

__all__ = ["made", "obligations", "proved"]


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Yield all obligations: initiation, actions, passing time, other consumers, conclusion.

    Claims with different assumptions share the obligations that these do not affect.
    """
    own = {one.name: one for one in _made(client, world)}
    for shared in _made(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


def _foreign(s: Ordered, limits: Limits) -> Bool:
    """Return the condition that the listener runs, but the consumer does not hold the lock."""
    return And(s.runs, s.holder != ME)


def proved(client: OrderedClient, world: Circumstances) -> Proof:
    """Return the proof under one set of assumptions (``world``)."""
    conclusion = "own-lock", "the consumer holds the lock while its listener runs"
    conjuncts = invariant(client, world)
    return proof(client, world, conjuncts, _foreign, conclusion, lambda limits: asked(client, world, limits))


def _one_runs(encoding: Any, v: SimpleNamespace) -> Statement:
    limits, own = CONFIGURATION.given(v)[2], "the consumer holds the lock while its listener runs"
    given = {
        f"{whose}: {own}": term(Not(_foreign(s, limits))) for whose, s in {"one": one(v), "other": other(v)}.items()
    }
    both = And(runs(one(v), limits), runs(other(v), limits))
    return Statement(CONFIGURATION.truths(v) | truths(v, OTHERS_FLAGS) | given, term(Not(both)))


ONE_RUNS = about(CONFIGURATION, "one-runs", "Therefore only one of two consumers' listeners runs.", _one_runs, *OTHERS)
"""Obligation that at most one of two listeners runs, as only one consumer holds the lock."""


@cache
def _made(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return (*made(proved(client, world), client), ONE_RUNS)
