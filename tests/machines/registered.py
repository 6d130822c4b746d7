"""Registry of the declared machines, with their pinned facts. To add one: a line in ``MACHINES``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION as PULLS
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION as REGISTRY
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION as SUBSCRIPTIONS
from rebalance_proofs.report.registry.kind import TELLING
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.pulls.witness import PullsSteps
from rebalance_proofs.spark_enum.registry.witness import RegistrySteps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps
from rebalance_proofs.spark_enum.subscriptions.witness import SubscriptionsSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "OFTEN_REGISTERED", "Declared"]


@dataclass(frozen=True)
class Declared:
    """A declared machine, with everything that is derived from it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Length of the shortest trace of each refuted claim, in actions. Keys: the guarantee; where lengths differ, also
    the client in front, the circumstances behind, or both.
    """
    often: tuple[str, ...] = ()
    """Actions that random walks prefer; empty if all are equally likely."""
    unrolled: int = 4
    """Greatest length of traces for which a solver is asked whether there is a shorter one."""
    left_out: Callable[[Counterexample], int] = lambda example: 0
    """Number of actions of a trace that have no line of their own."""
    by_z3: tuple[str, ...] = ()
    """Actions whose code has too many paths for cvc5 to decide."""
    alike: bool = False
    """Whether clients differ so little that each claim is tried with the encodings of all clients."""

    def told_of(self, client) -> list[Claim]:
        """The claims that are tried with a client's encoding."""
        return [claim for claim in self.claims if self.alike or claim.subjects == (client,)]

    def length(self, claim: Claim) -> int:
        """Pinned length of a claim's shortest trace."""
        name, client = claim.guarantee.name, claim.subjects[0].name
        keys = f"{client}.{name}.{claim.variant}", f"{client}.{name}", f"{name}.{claim.variant}", name
        return next(self.lengths[key] for key in keys if key in self.lengths)

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(KINDS[self.kind].claims())

    @property
    def clients(self) -> tuple:
        return tuple(dict.fromkeys(claim.subjects[0] for claim in self.claims))


def idle(example: Counterexample) -> int:
    """Scans that remove nobody: of each stretch there is one line."""
    found = [one.idle for one in TELLING.answered(example.group)]
    return sum(found) - sum(now and not before for now, before in zip(found, (False, *found), strict=False))


OF_SETTLING = {"settles": 4, "woken": 6, "apart": 8, "java_v4_9_to_v5_1.alone": 5, "java_v5_2_to_v5_3.alone": 7}
OF_PULLS = {
    "one-request": 2,
    "has-request": 2,
    "has-request.without-callback": 3,
    "has-request.without-interrupt": 3,
    "healed": 4,
    "hits-own-entry": 6,
    "repairs-while-held": 5,
    "dies": 4,
    "only-lost": 3,
    "lets-go": 3,
}
OF_SUBSCRIPTIONS = {
    "calm": 1,
    "accepted-soon": 6,
    "java_v4_9_to_v5_3.accepted": 6,
    "java_v5_1_3_heartbeat_v2.accepted": 10,
    "java_v5_1_3_heartbeat_v2.accepted.forgotten": 6,
    "java_v4_9_to_v5_3.answered": 4,
    "java_v5_1_3_heartbeat_v2.answered": 7,
    "own-tags": 2,
    "all-tags": 1,
    "first-pull": 2,
    "first-pull.without-free": 6,
}
OFTEN = ("ticks", "sends", "arrives", "ends", "pulls", "firsts")
RARE = ("leaves", "dies", "vanishes", "breaks", "restarts")
"""Actions of a member after which little happens."""
OFTEN_REGISTERED = tuple(name for name in REGISTRY.machine.actions if name not in RARE)
OF_REGISTRY = {
    "listed": 6,
    "again.without-heartbeats": 2,
    "again.without-alone": 5,
    "gone": 20,
    "at-once": 5,
    "not-started": 18,
    "once.without-close": 7,
    "once.without-order": 6,
    "agree": 15,
    "told.without-close": 6,
    "told.without-notifications": 5,
    "told-late": 9,
    "anew": 5,
    "routed": 2,
}
MACHINES = (
    Declared("settling", SETTLING, SettlingSteps, OF_SETTLING),
    Declared("pulls", PULLS, PullsSteps, OF_PULLS),
    Declared("subscriptions", SUBSCRIPTIONS, SubscriptionsSteps, OF_SUBSCRIPTIONS, OFTEN),
    Declared(
        "registry",
        REGISTRY,
        RegistrySteps,
        OF_REGISTRY,
        OFTEN_REGISTERED,
        unrolled=7,
        left_out=idle,
        by_z3=("scans",),
        alike=True,
    ),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
