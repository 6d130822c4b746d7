"""The clients of claims about pull requests. To add a client, add a line to ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.pulls.code import code
from rebalance_proofs.model.pulls.consumer import PullsConsumer
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.machine import PULLS
from rebalance_proofs.model.pulls.mutants import WRONG
from rebalance_proofs.model.pulls.rebalance import Transition
from rebalance_proofs.model.pulls.remoting import Remoting, RemotingV5_2, RemotingV5_3, RemotingV5_4
from rebalance_proofs.model.pulls.rules import PullRules
from rebalance_proofs.model.pulls.state import Choices, Pulls
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.drivers import JavaDriver
from rebalance_proofs.model.transition.generations import TakenAsOne

__all__ = ["CLIENTS", "PullsClient"]


@dataclass(frozen=True)
class PullsClient(MachineClient, TakenAsOne):
    """Releases of a client whose pulls behave the same."""

    releases: tuple[str, ...]
    """The releases, oldest first; the source of each was read.

    Releases of one generation may differ here.
    """
    rules: PullRules
    remoting: type[Remoting]
    machine, wrong = PULLS, WRONG

    @cached_property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""
        return java.encoding(self.rebalance).step

    @cached_property
    def code(self) -> Code[Pulls, Choices, Limits, PullsConsumer]:
        """How the client's Python code implements the machine (refinement map)."""
        return code(self.consumer)

    def consumer(self, limit: int = PULL_MAX_IDLE_TIME) -> PullsConsumer:
        """Return a new consumer that runs the client's Python code.

        ``limit``: ``pullMaxIdleTime`` in ms.
        """
        driver = JavaDriver(self.made, Settings(orderly=True), order=True, own_store=False)
        return PullsConsumer(
            driver,
            self.remoting(),
            catches_throwable=self.rules.thread_survives,
            limit=limit,
        )


def _all(*of: generations.Generation) -> tuple[str, ...]:
    return tuple(release for one in of for release in one.releases)


V5_2 = (generations.V5_2,)

CLIENTS = (
    PullsClient(
        "java_v4_9_to_5_1",
        "Java 4.9 to 5.1",
        generations.UP_TO_5_1,
        _all(*generations.UP_TO_5_1),
        PullRules(
            repairs_at_once=False, callback_survives=False, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        Remoting,
    ),
    PullsClient(
        "java_v5_2_0",
        "Java 5.2.0",
        V5_2,
        ("5.2.0",),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        RemotingV5_2,
    ),
    PullsClient(
        "java_v5_3_0",
        "Java 5.3.0 to 5.3.2",
        V5_2,
        ("5.3.0", "5.3.1", "5.3.2"),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
    PullsClient(
        "java_v5_3_3",
        "Java 5.3.3",
        V5_2,
        ("5.3.3",),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=True, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
    PullsClient(
        "java_v5_4_0",
        java_from("5.4.0"),
        generations.FROM_5_2,
        ("5.4.0", *generations.V5_5.releases),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=True, hook_heard=False, fails_twice=False
        ),
        RemotingV5_4,
    ),
)
