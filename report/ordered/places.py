"""Where claims about ordered consumption stand: premises in rows, clients in columns."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.circumstances import (
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    RENEWED,
    RENEWED_AS_SHIPPED,
)
from rebalance_proofs.proofs.ordered.guarantees import exact_limits
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.runs import Places

ORDERED = Family(
    "ordered",
    "Ordered consumption",
    "A consumer calls its ordered listener only while it believes to hold the broker's lock of the queue. The lock "
    "rests on limits of time, on both sides. Clients in columns, what is given in rows. Go was read, not run.",
    ("Claim", "When"),
    spelled_out=True,
)


WHEN = {
    IN_TIME.name: "when all premises hold",
    RENEWED.name: "when all premises hold, and every renewal is in time",
    RENEWED_AS_SHIPPED.name: "when every renewal is in time, with all settings as shipped",
    ANYHOW.name: "whatever happens, but for consumption by hand",
    ONE_GROUP.name: "when no two consumers have one client id, and all share one clock",
    NOT_LATER.name: "when no request is later than the limit for that",
}


def when(claim: Claim) -> str:
    """All premises, or what is the case because one does not hold."""
    if claim.world.dropped:
        return f"even if {claim.world.otherwise}"
    words = WHEN[claim.world.name]
    if claim.guarantee is exact_limits(claim.subjects[0]):
        # That one of them does not hold is what it is about.
        words = words.replace("all premises", "all other premises")
    return words


PLACES = Places(ORDERED, when)
