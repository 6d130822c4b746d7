"""The limits of time that settling rests on, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Each a number, or a term."""

    wait: Annotated[Int, Variable("The timer: `rocketmq.client.rebalance.waitInterval`.")]
    least: Annotated[
        Int,
        Variable("From Java 5.2 on, the least time between two rebalances (`rocketmq.client.rebalance.minInterval`)."),
    ]
    loop: Annotated[
        Int,
        Variable(
            "The longest time for which one rebalance of all groups of the process takes: every group, topic and "
            "queue, with the answers of brokers that are awaited, and the locks of listeners. Nothing of a client "
            "bounds it."
        ),
    ]


DEFAULTS = Limits(wait=20_000, least=1_000, loop=3_000)
"""Those of the settings are what clients ship with. The loop is an assumption: one list of ids that does not come. It
is too little for ordered groups: each queue that is taken away while its listener runs takes ``tryLock``'s time more.
"""
