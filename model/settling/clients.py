"""The clients that claims about settling are about. To add one: a line in ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.settling.code import code
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import SETTLING, Choices, Service, period
from rebalance_proofs.model.settling.mutants import WRONG
from rebalance_proofs.model.settling.rebalance_service import RebalanceService, RebalanceServiceV5_2
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition.generations import GENERATIONS, Generation

__all__ = ["CLIENTS", "SettlingClient"]


@dataclass(frozen=True)
class SettlingClient:
    """Releases of a client whose rebalance threads do the same."""

    name: str
    """Name used in claim ids: ``java_v5_2_to_v5_3``."""
    rocketmq_name: str
    """Name for people: ``Java 5.2 to 5.3.3``; later releases were not read."""
    made: type[RebalanceService]
    """The class of its thread."""
    least: bool
    """Whether there is a least time between two rebalances (``minInterval``)."""
    generations: tuple[Generation, ...]
    """The generations of its releases."""

    @cached_property
    def encoding(self) -> Any:
        """The machine's actions for this client, as terms."""
        return SETTLING.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Wrong encodings of this client, each with one mistake."""
        return tuple(one.mutant(self.encoding) for one in WRONG if one.of(self))

    @cached_property
    def code(self) -> Code[Service, Choices, Limits, RebalanceService]:
        """The code of its thread, to be run beside the machine."""
        return code(self.made)

    def longest_wait(self, limits: Limits) -> int:
        """The longest time in ms from the end of a rebalance to the beginning of the next; ``limits`` are numbers."""
        return number(period(limits, self))


CLIENTS = (
    SettlingClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", RebalanceService, False, GENERATIONS[:-1]),
    SettlingClient("java_v5_2_to_v5_3", "Java 5.2 to 5.3.3", RebalanceServiceV5_2, True, GENERATIONS[-1:]),
)
