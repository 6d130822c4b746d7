"""All kinds of claims that are enumerated."""

from collections.abc import Mapping

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.subscriptions.members import Members
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.spark_enum.allocation.witness import ALLOCATION
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.offsets.witness import OFFSETS
from rebalance_proofs.spark_enum.ordered.witness import ORDERED
from rebalance_proofs.spark_enum.pulls.witness import PULLS
from rebalance_proofs.spark_enum.registry.witness import REGISTRY
from rebalance_proofs.spark_enum.settling.witness import SETTLING
from rebalance_proofs.spark_enum.subscriptions.witness import SUBSCRIPTIONS
from rebalance_proofs.spark_enum.transition.witness import TRANSITION

KINDS: Mapping[str, Kind] = {
    Groups.kind: ALLOCATION,
    Scenario.kind: TRANSITION,
    Circumstances.kind: ORDERED,
    Brokers.kind: OFFSETS,
    Troubles.kind: PULLS,
    Notices.kind: SETTLING,
    Members.kind: SUBSCRIPTIONS,
    Membership.kind: REGISTRY,
}
"""A claim's kind -> its enumeration; in the order in which they run."""
