"""Which recorded results are of a strategy."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.report.names import client, shippers

__all__ = ["recordings"]


def recordings(strategy: Strategy) -> dict[tuple[str, str], str]:
    """Of each client that ships it; of one that was not recorded there are none."""
    return {
        (one.recorded_as or one.name, strategy.name): f"{client(one)} ({one.observed})"
        if one.recorded_as
        else client(one)
        for one in shippers(strategy)
    }
