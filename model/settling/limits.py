"""The time limits of settling, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Limits in ms, each a number or a term."""

    wait: Annotated[Int, Variable("The timer's period (`rocketmq.client.rebalance.waitInterval`).")]
    least: Annotated[
        Int,
        Variable("From Java 5.2 on, the least time between two rebalances (`rocketmq.client.rebalance.minInterval`)."),
    ]
    loop: Annotated[
        Int,
        Variable(
            "The longest time that one rebalance of all groups of the process takes: every group, topic and queue, "
            "with the waits for brokers' answers and for listeners' locks. No setting of a client bounds it."
        ),
    ]


DEFAULTS = Limits(wait=20_000, least=1_000, loop=3_000)
"""``wait`` and ``least`` are what clients ship with. ``loop`` is an assumption: one query for the ids is not answered.

It is too little for ordered groups: each queue that is taken away while its listener runs takes ``tryLock``'s time
more.
"""
