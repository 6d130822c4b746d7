"""Time limits of the rebalance thread, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Time limits of the rebalance thread in ms, each a number or a term."""

    wait: Annotated[Int, Variable("Timer period (`rocketmq.client.rebalance.waitInterval`).")]
    least: Annotated[
        Int,
        Variable("Minimum time between two rebalances, from Java 5.2 on (`rocketmq.client.rebalance.minInterval`)."),
    ]
    loop: Annotated[
        Int,
        Variable(
            "Longest time of one rebalance of all groups of the process, including waits for brokers' answers and "
            "listeners' locks. No client setting bounds it."
        ),
    ]


DEFAULTS = Limits(wait=20_000, least=1_000, loop=3_000)
"""Default settings for ``wait`` and ``least``, and an assumed ``loop``.

The assumption is that one query for the ids is not answered. An ordered group may need longer: each queue that is
revoked while its listener runs adds the wait of ``tryLock``.
"""
