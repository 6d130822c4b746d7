"""Enumeration of offset states: code against formulas, and explored runs against the claims."""

from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.model.offsets.state import Way
from rebalance_proofs.proofs.offsets.claims import runs_of
from rebalance_proofs.proofs.offsets.configuration import within
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.explorer.groups import and_groups, checks_of
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.machine.steps import Steps, by_name
from rebalance_proofs.spark_enum.offsets.kinds import STEPS
from rebalance_proofs.spark_enum.offsets.space import SPACES
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in


class ConcurrentSteps(Steps):
    """Comparison of all actions of a consumer with a concurrent listener, in all states."""

    kind, title, known, space = STEPS, "offsets", by_name(CLIENTS), SPACES[Way.CONCURRENTLY]


class OrderlySteps(ConcurrentSteps):
    """Comparison of all actions of a consumer with an ordered listener, in all states."""

    space = SPACES[Way.ORDERLY]


class ByLoopSteps(ConcurrentSteps):
    """Comparison of all actions of a Node consumer, in all states."""

    space = SPACES[Way.BY_LOOP]


OF_WAYS = {Way.CONCURRENTLY: ConcurrentSteps, Way.ORDERLY: OrderlySteps, Way.BY_LOOP: ByLoopSteps}
AGAINST = explored_against(
    STEPS,
    lambda claim: runs_of(claim).explored(claim.subjects[0].encoding, claim),
    "two consumers reach a violation",
    lambda claim: f"two consumers do not reach a violation in {within(claim.world)} actions",
)
OFFSETS = Kind(
    jobs=lambda claims, bounds: 1,
    found=compared(lambda name, every: OF_WAYS[ConcurrentSteps.known(name).way](name, every), checks_of),
    against=and_groups(AGAINST),
    mistaken=lambda claim, mutant, model, size: mistaken_in(runs_of(claim))(claim, mutant, model, size),
)
