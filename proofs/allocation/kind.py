"""The kind ``allocation``: claims about how a strategy divides queues among consumers."""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.proofs.allocation import claims as one_topic
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.allocation.search import LookingAtGroups
from rebalance_proofs.proofs.allocation.slips import slips
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.clients import claims as clients
from rebalance_proofs.proofs.code import claims as code
from rebalance_proofs.proofs.growth import claims as growth
from rebalance_proofs.proofs.hashing import claims as hashing
from rebalance_proofs.proofs.joins import claims as joins
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.movement import claims as movement
from rebalance_proofs.proofs.nearby import claims as nearby
from rebalance_proofs.proofs.topics import claims as topics


def of_one_topic() -> tuple[Claim, ...]:
    """Return the claims about one group and one topic."""
    return (*one_topic.claims(), *hashing.claims(), *nearby.claims())


ROOMS: Mapping[str, Callable[[], Sequence[Claim]]] = {
    "allocation": of_one_topic,
    "movement": movement.claims,
    "growth": growth.claims,
    "joins": joins.claims,
    "topics": topics.claims,
    "clients": clients.claims,
    "code": code.claims,
}
"""First part of an id -> function that returns the claims whose ids begin with it.

The ledger lists them in this order.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims of this kind, in the order of the ledger."""
    return tuple(claim for room in ROOMS.values() for claim in room())


ALLOCATION = Kind(claims, LookingAtGroups, observed, slips, ROOMS)
