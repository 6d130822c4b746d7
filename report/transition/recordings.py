"""Recordings that a client's generation can be compared with."""

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.recorded.transition.dialect import REBALANCE
from rebalance_proofs.recorded.transition.java import JAVA
from rebalance_proofs.recorded.transition.node import NODE

__all__ = ["recordings"]


def recordings(client: Client) -> dict[tuple[str, str], str]:
    """Recordings of the one release that was run; by reading, the other releases of the generation do the same."""
    if client.observed in JAVA:
        return {(JAVA[client.observed].name, REBALANCE): f"Java {client.observed}"}
    ran = f"node{client.observed}"
    return {(NODE[ran].name, REBALANCE): f"ali-ons {client.observed}"} if ran in NODE else {}
