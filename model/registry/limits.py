"""The time limits of a broker's registry, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Limits in ms, each a number or a term."""

    beat: Annotated[
        Int,
        Variable(
            "The longest time from one heartbeat of a member to the next, as they reach this broker "
            "(`heartbeatBrokerInterval`, and what sending to all brokers one after the other takes)."
        ),
    ]
    expired: Annotated[
        Int,
        Variable(
            "After so long without a heartbeat a scan removes a channel (`channelExpiredTimeout`; up to 5.0 a "
            "constant)."
        ),
    ]
    scan: Annotated[Int, Variable("The longest time between two scans (`ClientHousekeepingService`).")]
    collect: Annotated[
        Int, Variable("Where notifications are collected, the longest time between two rounds of sending them.")
    ]
    poll: Annotated[
        Int,
        Variable(
            "The longest time from one answer about a route to the next (`pollNameServerInterval`, and what it takes)."
        ),
    ]


DEFAULTS = Limits(beat=30_000, expired=120_000, scan=10_000, collect=15_000, poll=30_000)
"""The limits as shipped, assuming no delays."""
