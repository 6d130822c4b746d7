"""Table layout of claims about settling: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.settling.notices import ANYHOW, FAILS, INTERRUPTIBLE, SUCCEEDS, TIMELY, UNRESUMED
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
    SUCCEEDS.name: "if every rebalance after the change succeeds",
    FAILS.name: "even with failed rebalances, which add a round each",
    TIMELY.name: "if no wake-up is lost",
    ANYHOW.name: "whatever rebalances and wake-ups do",
    INTERRUPTIBLE.name: "even if other threads interrupt the rebalance thread",
    UNRESUMED.name: "if no consumer is resumed or resets offsets",
}


PLACES = Places(SETTLING, circumstances(WHEN))
