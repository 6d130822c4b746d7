"""Recordings that a strategy can be compared with."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.report.names import client, shippers

__all__ = ["recordings"]


def recordings(strategy: Strategy) -> dict[tuple[str, str], str]:
    """(client, strategy) -> name of the client, for each client that ships the strategy, recorded or not."""
    return {
        (one.recorded_as or one.name, strategy.name): f"{client(one)} ({one.observed})"
        if one.recorded_as
        else client(one)
        for one in shippers(strategy)
    }
