"""While a consumer's listener runs, the broker's lock is its own: proved action by action, for any number of others."""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.inductive import about, kept, rely, well
from rebalance_proofs.proofs.ordered.invariant import invariant
from rebalance_proofs.proofs.ordered.variables import ME

__all__ = ["made", "obligations"]


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """The beginning, one for each action, one for time, one for others, and that it is what was to be shown.

    Worlds share those that no premise touches in which they differ.
    """
    own = {one.name: one for one in _obligations(client, world)}
    for shared in _obligations(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


@cache
def _obligations(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return tuple(made(client, world))


def made(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Those of one world, none of them shared with another."""

    def fits(limits: Limits) -> dict[str, z3.BoolRef]:
        trusted = world.trusted(limits)
        return {part.sentence: part.holds(trusted) for part in condition(client, world)}

    conjuncts = invariant(client, renewed=world.renewed)
    yield from kept(conjuncts, world, fits, client.never)
    yield rely()

    def holds(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        runs = {"the listener runs": v.runs == 1}
        return Statement(well(conjuncts, world, v, fits) | runs, v.holder == ME)

    yield about("own-lock", "Where all is well, the lock is the consumer's while its listener runs.", holds)
