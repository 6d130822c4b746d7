"""Time limits of a group's subscriptions, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int


@dataclass(frozen=True)
class Limits(Record):
    """Time limits of subscriptions in ms, each a number or a term."""

    period: Annotated[Int, Variable("Period of a client's heartbeats (`heartbeatBrokerInterval`).")]
    beat: Annotated[
        Int,
        Variable(
            "The longest time of one heartbeat to all brokers. The client waits at most 3 s for each broker "
            "(`mqClientApiTimeout`); nothing limits the total."
        ),
    ]
    retry: Annotated[
        Int,
        Variable(
            "The longest time from a refusal to the next pull of the queue, as the broker observes them. The "
            "setting is `pullTimeDelayMillsWhenException`: 1 s in `ClientConfig`, whose value replaces the 3 s of "
            "`DefaultMQPushConsumerImpl` from 4.6.0 on."
        ),
    ]
    apart: Annotated[
        Int, Variable("The longest time between two heartbeats of one member, as the broker observes them.")
    ]
    delay: Annotated[
        Int,
        Variable(
            "Delay of the first pull of an added queue (`dispatchPullRequest`), from 5.0 on; up to 4.9.8 it is sent "
            "at once."
        ),
    ]


DEFAULTS = Limits(period=30_000, beat=3_000, retry=1_000, apart=33_000, delay=500)
"""Default settings for ``period``, ``retry`` and ``delay``; the others are assumptions.

The assumptions are that one of all brokers does not answer, and that a pull takes no time to travel.
"""
