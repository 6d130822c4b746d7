"""Table layout of claims about offsets: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.offsets.brokers import (
    ARRIVING,
    AWAITED,
    BY_LOOP,
    COMMITTED,
    COMMITTED_STEADY,
    FIRST,
    HANDED_OVER,
    HEEDED,
    IN_TURN,
    IN_TURN_STEADY,
    REPLACED_FIRST,
    RESET,
)
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

OFFSETS = Family(
    "offsets",
    "Offsets",
    "One message of a queue, across all consumers of the group. A consumer starts at the committed offset, tracks "
    "consumed messages, and commits its offset from time to time. The claims cover concurrent and ordered listeners "
    "and Node's consumer, each with its default offset store.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    COMMITTED.name: "if an offset is committed and no query fails",
    COMMITTED_STEADY.name: "if an offset is committed, no query fails, and tables are steady",
    BY_LOOP.name: "if an offset above 0 is committed, queries are answered, and no messages are left at shutdown",
    HANDED_OVER.name: "if a consumer asks for a queue only after the old owner removed it",
    HEEDED.name: "if interrupted listeners return success only when done",
    AWAITED.name: "if shutdown() waits for running listeners",
    RESET.name: "if no offset is recorded while it is reset",
    ARRIVING.name: "if nothing is committed, and one consumer takes the queue before the first commit",
    FIRST.name: "if the group starts at the first offset",
    REPLACED_FIRST.name: "if the group starts at the first offset, even if a replica answers",
    "mixed": "in a group of two clients that both meet the assumptions",
    IN_TURN.name: "if owners follow one after the other, and none ends abruptly",
    IN_TURN_STEADY.name: "if owners follow one after the other, none ends abruptly, and tables are steady",
}


PLACES = Places(OFFSETS, circumstances(WHEN))
