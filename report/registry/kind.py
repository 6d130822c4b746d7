"""How reports show claims about a broker's registry: the functions that all reports use."""

from functools import partial

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.machine.shown import machine_shown
from rebalance_proofs.report.registry.figure import drawn
from rebalance_proofs.report.registry.places import PLACES
from rebalance_proofs.report.registry.telling import RegistryTelling, given
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS


def about(claim: Claim) -> str:
    """Return a sentence about the code that the claim covers."""
    return f"One member of a group, and the registry of one broker, of {claim.subjects[0].rocketmq_name}."


TELLING = RegistryTelling(CONFIGURATION, given, observes="A client queries the member list", parties=("X", "broker"))
REGISTRY = machine_shown(
    TELLING,
    PLACES,
    about,
    none=f"member and broker do not reach this in {CONFIGURATION.end} ticks",
    around="1 consumer, 1 broker",
    figure=partial(drawn, TELLING),
    actions=Actions(
        REGISTERS, "brokers' registries", "of brokers' registries", "a broker's table", "the code of member and broker"
    ),
)
