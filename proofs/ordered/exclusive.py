"""While a consumer's listener runs, the broker's lock is its own: proved action by action, for any number of others."""

from collections.abc import Iterator
from functools import cache

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.configuration import Proof, proof, relied_on
from rebalance_proofs.proofs.ordered.invariant import invariant

__all__ = ["made", "obligations", "proved"]


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """The beginning, one for each action, one for time, one for others, and that it is what was to be shown.

    Worlds share those that no premise touches in which they differ.
    """
    own = {one.name: one for one in _made(client, world)}
    for shared in _made(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


def _foreign(s: Ordered, limits: Limits) -> Bool:
    """The listener runs, and the lock is not the consumer's."""
    return And(s.runs, s.holder != ME)


def proved(client: OrderedClient, world: Circumstances) -> Proof:
    """Of one world."""

    def asked(limits: Limits) -> dict[str, Bool]:
        trusted = world.trusted(limits)
        return {part.sentence: part.holds(trusted) for part in condition(client, world)}

    conclusion = "own-lock", "the lock is the consumer's while its listener runs"
    return proof(client, world, invariant(client, world), _foreign, conclusion, asked)


@cache
def _made(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return made(proved(client, world), client)


def made(proof: Proof, client: OrderedClient) -> tuple[Obligation, ...]:
    """Those of one proof, none of them shared with another."""
    *steps, last = proof.obligations()
    return (*steps, relied_on(client), last)
