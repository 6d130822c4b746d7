"""Time until a client has rebalanced, for the sentences and formulas of all parts."""

from typing import Protocol

from rebalance_proofs.model.machine.span import Span, limit, longer, twice

__all__ = ["LEAST", "LOOP", "WAIT", "Variant", "period", "settled", "woken"]

WAIT = limit("wait", "waitInterval")
LEAST = limit("least", "minInterval")
LOOP = limit("loop", "maxRebalance")


class Variant(Protocol):
    """The properties in which clients differ."""

    @property
    def least(self) -> bool:
        """Whether there is a least time between two rebalances (``minInterval``)."""


def period(client: Variant) -> Span:
    """The longest time from the end of a rebalance to the beginning of the next one."""
    return longer(WAIT, LEAST) if client.least else WAIT


def settled(client: Variant) -> Span:
    """From a change until a rebalance has ended that has seen it, if none fails, whether the client is notified or
    not."""
    return period(client) + twice(LOOP)


def woken(client: Variant) -> Span:
    """The same, from the notification of the change, if no wake-up is lost."""
    return LEAST + twice(LOOP) if client.least else twice(LOOP)
