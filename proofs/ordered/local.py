"""Proof that in one client at most one call of the listener is under way for a queue, over old and new entries of
it."""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import Not
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, proof
from rebalance_proofs.proofs.ordered.invariant import Conjunct

__all__ = ["obligations"]

ONCE = Conjunct("once", "The listener is not called while it is called already.", lambda s, limits: Not(s.twice))


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Obligations that each action keeps ``ONCE``, whatever happens. At first no listener is called; others cannot
    change it."""
    actions = CONFIGURATION.machine.actions
    yield from (one for one in proof(client, ANYHOW, (ONCE,)).obligations() if one.name in actions)
