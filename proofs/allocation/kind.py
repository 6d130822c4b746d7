"""The kind ``allocation``: claims about the shares of a group's consumers, as the engine uses them."""

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

ROOMS = (one_topic, hashing, nearby, movement, growth, joins, topics, clients, code)


def claims() -> tuple[Claim, ...]:
    """The claims of all packages of this kind, in the order of the ledger."""
    return tuple(claim for room in ROOMS for claim in room.claims())


ALLOCATION = Kind(claims, LookingAtGroups, observed, slips)
