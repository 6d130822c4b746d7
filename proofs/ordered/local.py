"""In one client at most one call of the listener is under way for a queue, over old and new entries of it."""

from collections.abc import Iterator

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW
from rebalance_proofs.proofs.ordered.inductive import ACTIONS, kept
from rebalance_proofs.proofs.ordered.invariant import Conjunct

__all__ = ["obligations"]

ONCE = Conjunct(
    "once",
    "The listener is not called while it is called already.",
    lambda state, limits: z3.Not(state.me.twice),
)
CONJUNCTS = {ONCE.name: ONCE}


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Each action keeps it, whatever happens. At first no listener is called; others have no say in it."""
    yield from (one for one in kept(CONJUNCTS, ANYHOW, never=client.never) if one.name in ACTIONS)
