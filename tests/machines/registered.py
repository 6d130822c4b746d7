"""Registry of the declared machines, with their pinned facts. To add one: a line in ``MACHINES``."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION as PULLS
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION as SUBSCRIPTIONS
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.pulls.witness import PullsSteps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps
from rebalance_proofs.spark_enum.subscriptions.witness import SubscriptionsSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "Declared"]


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
MACHINES = (
    Declared("settling", SETTLING, SettlingSteps, OF_SETTLING),
    Declared("pulls", PULLS, PullsSteps, OF_PULLS),
    Declared("subscriptions", SUBSCRIPTIONS, SubscriptionsSteps, OF_SUBSCRIPTIONS, OFTEN),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
