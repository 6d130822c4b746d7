"""Upper bounds on the time until a rebalance, as formulas and as printed text."""

from typing import Protocol

from rebalance_proofs.model.machine.span import Span, limit, longer, twice

__all__ = ["LEAST", "LOOP", "WAIT", "Variant", "period", "settled", "woken"]

WAIT = limit("wait", "waitInterval")
LEAST = limit("least", "minInterval")
LOOP = limit("loop", "maxRebalance")


class Variant(Protocol):
    """Differences between clients in their rebalance threads."""

    @property
    def least(self) -> bool:
        """Whether the client has a minimum time between two rebalances (``minInterval``)."""

    @property
    def parks(self) -> bool:
        """Whether the thread parks instead of waiting for a latch."""


def period(client: Variant) -> Span:
    """Return the longest time from the end of a rebalance to the start of the next one."""
    return longer(WAIT, LEAST) if client.least else WAIT


def settled(client: Variant) -> Span:
    """Return the longest time from a membership change to the end of a rebalance that used it.

    This assumes that no rebalance fails; it does not matter whether the client is notified.
    """
    return period(client) + twice(LOOP)


def woken(client: Variant) -> Span:
    """Return the longest time from a notification to the end of a rebalance that uses it.

    That rebalance uses the changed membership. This assumes that no wake-up is lost.
    """
    return LEAST + twice(LOOP) if client.least else twice(LOOP)
