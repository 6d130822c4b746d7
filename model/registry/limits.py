"""Time limits of a broker's registry, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int


@dataclass(frozen=True)
class Limits(Record):
    """Limits in ms, each a number or a term."""

    beat: Annotated[
        Int,
        Variable(
            "The longest time between two heartbeats of a member at this broker: `heartbeatBrokerInterval`, plus "
            "the time to send to all brokers in turn."
        ),
    ]
    expired: Annotated[
        Int,
        Variable(
            "Time without a heartbeat after which a scan removes a channel (`channelExpiredTimeout`; a constant up "
            "to 5.0)."
        ),
    ]
    scan: Annotated[Int, Variable("The longest time between two scans (`ClientHousekeepingService`).")]
    collect: Annotated[Int, Variable("The longest time between two rounds of sending collected notifications.")]
    poll: Annotated[
        Int,
        Variable(
            "The longest time between two answers about a route: `pollNameServerInterval`, plus the time that a "
            "poll takes."
        ),
    ]


DEFAULTS = Limits(beat=30_000, expired=120_000, scan=10_000, collect=15_000, poll=30_000)
"""The default settings of client and broker, without delays."""
