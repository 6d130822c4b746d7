"""The clients of claims about the rebalance thread.

To add a client, add a line to ``CLIENTS``.
"""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.settling.code import code
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import SETTLING, Choices, Service
from rebalance_proofs.model.settling.mutants import WRONG
from rebalance_proofs.model.settling.rebalance_service import (
    RebalanceService,
    RebalanceServiceV5_2,
    RebalanceServiceV5_5_1,
)
from rebalance_proofs.model.transition.generations import FROM_5_2, UP_TO_5_1, Generation

__all__ = ["CLIENTS", "SettlingClient"]


@dataclass(frozen=True)
class SettlingClient(MachineClient):
    """Releases of a client whose rebalance threads behave the same."""

    name: str
    """Name used in claim ids: ``java_v5_2_to_v5_3``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``."""
    made: type[RebalanceService]
    """Class with the Python code of the rebalance thread."""
    least: bool
    """Whether the client has a minimum time between two rebalances (``minInterval``)."""
    generations: tuple[Generation, ...]
    """Generations of the Java client to which the releases belong.

    Empty for a release whose client was not read as a whole.
    """
    parks: bool = False
    """Whether the thread parks instead of waiting for a latch (``ServiceThread`` from 5.5.1 on)."""
    machine, wrong = SETTLING, WRONG

    @cached_property
    def code(self) -> Code[Service, Choices, Limits, RebalanceService]:
        """How the thread's Python code implements the machine (refinement map)."""
        return code(self.made)


CLIENTS = (
    SettlingClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", RebalanceService, False, UP_TO_5_1),
    SettlingClient("java_v5_2_to_v5_3", java_from("5.2"), RebalanceServiceV5_2, True, FROM_5_2),
    SettlingClient("java_v5_5_1", "ServiceThread 5.5.1", RebalanceServiceV5_5_1, True, (), parks=True),
)
"""The rebalance threads, oldest first.

Of 5.5.1, ``ServiceThread`` was read, which is in ``rocketmq-common``, but not the client: the last one is the
``RebalanceService`` of 5.5.0 on the ``ServiceThread`` of 5.5.1.
"""
