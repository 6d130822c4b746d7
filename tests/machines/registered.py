"""The declared machines, and what is pinned of each. To add one: a line in ``MACHINES``."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION as PULLS
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION as REGISTRY
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.report.registry.kind import TELLING
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.pulls.witness import PullsSteps
from rebalance_proofs.spark_enum.registry.witness import RegistrySteps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "RARE", "Declared"]


@dataclass(frozen=True)
class Declared:
    """A machine with all that is made of it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Of refuted claims, by guarantee, the actions of the shortest run; where that differs, by client and guarantee, or
    by guarantee and circumstances."""
    unrolled: int = 4
    """The longest runs for which a solver is asked whether there is a shorter one."""
    left_out: Callable[[Counterexample], int] = lambda example: 0
    """So many actions of a run have no line of their own."""
    by_z3: Collection[str] = ()
    """Actions of which the code has so many ways that cvc5 does not come to an end with them."""
    rare: Collection[str] = ()
    """Actions after which little happens: walks try them less often than others."""
    alike: bool = False
    """Clients differ in little: what is claimed of one is tried with the encodings of all."""

    def told_of(self, client) -> list[Claim]:
        """What is claimed of a client, or what is tried with its encoding."""
        return [claim for claim in self.claims if self.alike or claim.subjects == (client,)]

    def length(self, claim: Claim) -> int:
        """Of one of them."""
        name = claim.guarantee.name
        keys = f"{claim.subjects[0].name}.{name}", f"{name}.{claim.variant}", name
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
RARE = ("leaves", "dies", "vanishes", "breaks", "restarts")
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
    Declared(
        "registry",
        REGISTRY,
        RegistrySteps,
        OF_REGISTRY,
        unrolled=7,
        left_out=idle,
        by_z3=("scans",),
        rare=RARE,
        alike=True,
    ),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
