"""The clients of claims about ordered consumption.

To add a client, add a line to ``CLIENTS``.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from rebalance_proofs.model.client.go import Go
from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.ordered.code import code
from rebalance_proofs.model.ordered.consumer import OrderedConsumer
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.lock_manager import RebalanceLockManager
from rebalance_proofs.model.ordered.machine import ORDERED
from rebalance_proofs.model.ordered.mutants import FEW, WRONG
from rebalance_proofs.model.ordered.rebalance import Transition
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.ordered.state import Choices, Ordered
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne


@dataclass(frozen=True)
class OrderedClient(MachineClient, TakenAsOne):
    """Releases of a client whose ordered consumption behaves the same."""

    rules: OrderedRules
    few_mutants: bool = False
    """Whether only the mutants in ``FEW`` are tested.

    This is enough if the client differs from another client only in the rebalance.
    """
    machine, wrong = ORDERED, WRONG

    @cached_property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""
        return java.encoding(self.rebalance).step

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error; only those in ``FEW`` if ``few_mutants``."""
        return tuple(one for one in super().mutants if one.name in FEW or not self.few_mutants)

    @cached_property
    def code(self) -> Code[Ordered, Choices, Limits, OrderedConsumer]:
        """How the client's Python code implements the machine (refinement map)."""
        return code(self.consumer)

    @property
    def gives_back(self) -> bool:
        """Whether a rebalance that removes a queue unlocks it."""
        return self.rebalance.gives_back

    @property
    def renews_under_listener(self) -> bool:
        """Whether ``lockAll`` renews the lock while the listener runs.

        It does if the process queue stays in the table until then, and ``lockAll`` does not skip it.
        """
        return self.rules.renews_marked and self.gives_back

    @property
    def pulls_later(self) -> bool:
        """Whether the client delays the first pull of a new process queue (``Limits.first_pull``)."""
        return self.rebalance.pull_delay > 0

    @property
    def forces(self) -> bool:
        """Whether the client unlocks a queue whose listener runs if the lock is old.

        The lock was then not renewed for too long.
        """
        return self.rebalance.gives_back and self.rebalance.keeps_offset and self.rebalance.forces

    @property
    def puts_off(self) -> bool:
        """Whether the client delays the unlock of a queue with cached messages."""
        return self.rebalance.gives_back and not self.rebalance.keeps_offset

    def consumer(self, client_id: int, broker: RebalanceLockManager, limits: Limits) -> OrderedConsumer:
        """Return a new consumer that runs the client's Python code."""
        return OrderedConsumer(self.made, client_id, broker, limits, rules=self.rules)


V4_9 = OrderedClient(
    "java_v4_9",
    "Java 4.9.5 to 4.9.8",
    (generations.V4_9_5, generations.V4_9_8),
    OrderedRules(returns_dropped=True, renews_marked=True),
)
V4_9_0 = OrderedClient(
    "java_v4_9_0",
    "Java 4.9.0 to 4.9.4",
    (generations.V4_9_0, generations.V4_9_1),
    OrderedRules(returns_dropped=True, renews_marked=True),
    few_mutants=True,
)
"""Java 4.9.0 to 4.9.4: a new process queue waits for the first renewal of its lock.

See rocketmq#2621. Known from its source; it was not run.
"""
V5_0 = OrderedClient(
    "java_v5_0",
    "Java 5.0 to 5.1.4",
    (generations.V5_0,),
    OrderedRules(returns_dropped=False, renews_on=True),
    few_mutants=True,
)
V5_2 = OrderedClient(
    "java_v5_2",
    java_from("5.2"),
    generations.FROM_5_2,
    OrderedRules(returns_dropped=False, renews_on=True),
)
GO = OrderedClient(
    "go",
    "Go 2.1",
    (Generation(("go",), Go, replace(generations.V4_9_8.rules, gives_back=False, new_locked=False)),),
    OrderedRules(
        returns_dropped=True,
        renews_marked=True,
        waits_for_listener=False,
        stamps_denials=True,
        constants=("client", "renewal"),
    ),
)
"""Go 2.1: known from its source. Its ordered consumption was not run or recorded."""

CLIENTS = (V4_9_0, V4_9, V5_0, V5_2, GO)
OLDER = (V4_9_0,)
"""Clients for which no claim drops an assumption."""
