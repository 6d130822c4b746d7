"""Where claims about offsets stand: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.brokers import BY_LOOP, COMMITTED, FIRST, HANDED_OVER, IN_TURN
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.runs import Places

__all__ = ["OFFSETS", "PLACES"]

OFFSETS = Family(
    "offsets",
    "Offsets",
    "What becomes of one message of a queue, whoever consumes it: a consumer begins where the group's offset is at the "
    "broker, notes what it has consumed, and sends that from time to time. Consumers with concurrent or ordered "
    "listeners, or Node's, and the offset store that they ship. Clients in columns, what is given in rows.",
    ("Claim", "When"),
    spelled_out=True,
)
WHEN = {
    COMMITTED.name: "when an offset is committed, and is answered without an error",
    BY_LOOP.name: "when an offset above 0 is committed, every query is answered, and none is shut down with messages",
    HANDED_OVER.name: "when a consumer asks for a queue after the entry of the one before has left",
    FIRST.name: "when the group begins with the first offset",
    "mixed": "when two clients share a group, and the premises of the claims that are named hold for both",
    IN_TURN.name: "when one consumer comes after the other, and none ends at once",
}


def when(claim: Claim) -> str:
    """All premises, or what is the case because one does not hold."""
    return f"even if {claim.world.otherwise}" if claim.world.dropped else WHEN[claim.world.name]


PLACES = Places(OFFSETS, when)
