"""The time limits of a group's subscriptions, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Limits in ms, each a number or a term."""

    period: Annotated[Int, Variable("Between two periodic heartbeats of a client (`heartbeatBrokerInterval`).")]
    beat: Annotated[
        Int,
        Variable(
            "The longest time for which one heartbeat to all brokers takes: each broker is waited for, for 3 s at most "
            "(`mqClientApiTimeout`). Nothing of a client bounds it all."
        ),
    ]
    retry: Annotated[
        Int,
        Variable(
            "The longest time from a refusal to the next pull of the queue, as the broker sees them "
            "(`pullTimeDelayMillsWhenException`: 1 s, as `ClientConfig` has it; the 3 s in `DefaultMQPushConsumerImpl` "
            "are overwritten by its constructor, from 4.6.0 on)."
        ),
    ]
    apart: Annotated[Int, Variable("The longest time between two heartbeats of one member, as the broker sees them.")]
    delay: Annotated[
        Int,
        Variable(
            "For so long the first pull of a queue is put off that a rebalance has added (`dispatchPullRequest`), from "
            "5.0 on; up to 4.9.8 it is sent at once."
        ),
    ]


DEFAULTS = Limits(period=30_000, beat=3_000, retry=1_000, apart=33_000, delay=500)
"""``period``, ``retry`` and ``delay`` are what clients ship with. The others are assumptions: one of all brokers does
not answer, and a pull travels in no time."""
