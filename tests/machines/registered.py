"""The declared machines, and what is pinned of each. To add one: a line in ``MACHINES``."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "Declared"]


@dataclass(frozen=True)
class Declared:
    """A machine with all that is made of it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Of refuted claims, by guarantee, the actions of the shortest run; by client and guarantee where that differs."""

    def length(self, claim: Claim) -> int:
        """Of one of them."""
        name = claim.guarantee.name
        of_client = f"{claim.subjects[0].name}.{name}"
        return self.lengths[of_client if of_client in self.lengths else name]

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(KINDS[self.kind].claims())

    @property
    def clients(self) -> tuple:
        return tuple(dict.fromkeys(claim.subjects[0] for claim in self.claims))


LENGTHS = {"settles": 4, "woken": 6, "apart": 8, "java_v4_9_to_v5_1.alone": 5, "java_v5_2_to_v5_3.alone": 7}
MACHINES = (Declared("settling", SETTLING, SettlingSteps, LENGTHS),)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
