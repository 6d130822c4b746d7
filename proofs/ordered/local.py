"""Proof that a client runs at most one listener call for a queue.

This includes calls for an old and a new process queue of the queue.
"""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import Not
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, proof
from rebalance_proofs.proofs.ordered.invariant import Conjunct

ONCE = Conjunct("once", "The listener is not called while another call is running.", lambda s, limits: Not(s.twice))


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Return the obligations that each action preserves ``ONCE``, for any events.

    Initially no listener call runs, and other consumers cannot change that.
    """
    actions = CONFIGURATION.machine.actions
    yield from (one for one in proof(client, ANYHOW, (ONCE,)).obligations() if one.name in actions)
