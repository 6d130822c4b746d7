"""The declared machines, and what is pinned of each. To add one: a line in ``MACHINES``."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION as ORDERED
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION as PULLS
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.ordered.witness import OrderedSteps
from rebalance_proofs.spark_enum.pulls.witness import PullsSteps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "Declared"]


@dataclass(frozen=True)
class Declared:
    """A machine with all that is made of it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Of refuted claims, by guarantee, the actions of the shortest run; where that differs, by client and guarantee, or
    by guarantee and circumstances, or by all three."""
    apiece: bool = True
    """Each proof needs each conjunct of its invariant; else one of a client's proofs of the guarantee does."""

    def length(self, claim: Claim) -> int:
        """Of one of them."""
        name = claim.guarantee.name
        client = claim.subjects[0].name
        keys = f"{client}.{name}.{claim.variant}", f"{client}.{name}", f"{name}.{claim.variant}", name
        return next(self.lengths[key] for key in keys if key in self.lengths)

    heavy: bool = False
    """It has so many states and obligations that what takes long is asked in slow tests."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(KINDS[self.kind].claims())

    @property
    def clients(self) -> tuple:
        return tuple(dict.fromkeys(claim.subjects[0] for claim in self.claims))


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
OF_ORDERED = {
    "exclusive.without-time": 8,
    "exclusive.without-overtaken": 12,
    "exclusive.without-return": 14,
    "exclusive.without-shutdown": 12,
    "exclusive.without-unsubscribed": 13,
    "exclusive.without-restart": 9,
    "exclusive.without-twin": 8,
    "java_v5_2.exclusive.without-time": 10,
    "exclusive.renewed-as-shipped": 11,
    "go.exclusive.without-time": 12,
    "go.exclusive.without-shutdown": 15,
    "go.exclusive.without-restart": 13,
    "go.exclusive.without-twin": 12,
    "given-back": 7,
}
MACHINES = (
    Declared("settling", SETTLING, SettlingSteps, OF_SETTLING),
    Declared("pulls", PULLS, PullsSteps, OF_PULLS),
    Declared("ordered", ORDERED, OrderedSteps, OF_ORDERED, apiece=False, heavy=True),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
