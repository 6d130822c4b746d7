"""Time limit of pull requests, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """The time limit of pull requests, a number of ms or a term."""

    limit: Annotated[
        Int,
        Variable("Idle time after which a process queue is removed (`rocketmq.client.pull.pullMaxIdleTime`)."),
    ]


DEFAULTS = Limits(limit=PULL_MAX_IDLE_TIME)
"""The limit by the default setting of clients."""
