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
from rebalance_proofs.model.pulls.remoting import Remoting, RemotingV5_2, RemotingV5_3
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


FIRST = (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8, generations.V5_0)
LAST = (generations.V5_2,)
FIRST_TO_SURVIVE = "5.3.3"
"""The first release whose ``PullMessageService`` thread survives an error (``catches_throwable``)."""
SURVIVES = _all(*LAST).index(FIRST_TO_SURVIVE)

CLIENTS = (
    PullsClient(
        "java_v4_9_to_5_1",
        "Java 4.9 to 5.1",
        FIRST,
        _all(*FIRST),
        PullRules(
            repairs_at_once=False, callback_survives=False, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        Remoting,
    ),
    PullsClient(
        "java_v5_2_0",
        "Java 5.2.0",
        LAST,
        _all(*LAST)[:1],
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        RemotingV5_2,
    ),
    PullsClient(
        "java_v5_3_0",
        "Java 5.3.0 to 5.3.2",
        LAST,
        _all(*LAST)[1:SURVIVES],
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
    PullsClient(
        "java_v5_3_3",
        java_from(FIRST_TO_SURVIVE),
        LAST,
        _all(*LAST)[SURVIVES:],
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=True, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
)
