"""Table layout of claims about settling: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.settling.notices import ANYHOW, FAILS, SUCCEEDS, TIMELY, UNRESUMED
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

__all__ = ["PLACES", "SETTLING"]

SETTLING = Family(
    "settling",
    "Settling",
    "When a client rebalances after its view of the group changes: its rebalance thread, the timer, and the wake-up by "
    "a notification. In Java, one thread serves all groups of the client.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    SUCCEEDS.name: "when every rebalance after the change succeeds",
    FAILS.name: "when rebalances may fail: each adds at most one wait and one rebalance",
    TIMELY.name: "when no wake-up comes between the look at the flag and the reset of the latch",
    ANYHOW.name: "whatever rebalances do, and whoever wakes the thread",
    UNRESUMED.name: "when nobody resumes a consumer, or resets its offsets",
}


PLACES = Places(SETTLING, circumstances(WHEN))
