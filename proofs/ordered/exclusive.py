"""Proof that the broker's lock is a consumer's own while its listener runs: action by action, for any number of
others."""

from collections.abc import Iterator
from functools import cache

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import asked
from rebalance_proofs.proofs.ordered.configuration import Proof, made, proof
from rebalance_proofs.proofs.ordered.invariant import invariant

__all__ = ["made", "obligations", "proved"]


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """All obligations: initiation, one for each action, for time and for what others do, and the conclusion.

    Worlds share the obligations that are touched by no premise in which the worlds differ.
    """
    own = {one.name: one for one in _made(client, world)}
    for shared in _made(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


def _foreign(s: Ordered, limits: Limits) -> Bool:
    """Whether the listener runs, and the lock is not the consumer's."""
    return And(s.runs, s.holder != ME)


def proved(client: OrderedClient, world: Circumstances) -> Proof:
    """The proof in one world."""
    conclusion = "own-lock", "the lock is the consumer's while its listener runs"
    conjuncts = invariant(client, world)
    return proof(client, world, conjuncts, _foreign, conclusion, lambda limits: asked(client, world, limits))


@cache
def _made(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return made(proved(client, world), client)
