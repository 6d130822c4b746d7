"""The limits of time that settling rests on, in ms."""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.limits import AsTerms

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(AsTerms):
    """Each a number, or a term."""

    wait: Any
    """The timer: ``rocketmq.client.rebalance.waitInterval``."""
    least: Any
    """From Java 5.2 on, the least time between two rebalances (``rocketmq.client.rebalance.minInterval``)."""
    loop: Any
    """The longest time for which one rebalance of all groups of the process takes: every group, topic and queue, with
    the answers of brokers that are awaited, and the locks of listeners. Nothing of a client bounds it."""


DEFAULTS = Limits(wait=20_000, least=1_000, loop=3_000)
"""Those of the settings are what clients ship with. The loop is an assumption: one list of ids that does not come."""
