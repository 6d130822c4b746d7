"""Places of claims about offsets in tables: circumstances in rows, clients in columns."""

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

__all__ = ["OFFSETS", "PLACES"]

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
    COMMITTED.name: "when an offset is committed, and is answered without an error",
    COMMITTED_STEADY.name: "when an offset is committed, and is answered without an error, and no table changes while "
    "its offsets are sent",
    BY_LOOP.name: "when an offset above 0 is committed, every query is answered, and none is shut down with messages",
    HANDED_OVER.name: "when a consumer asks for a queue after the entry of the one before has left",
    HEEDED.name: "when a listener that shutdown() interrupts returns success only when its work is done",
    AWAITED.name: "when shutdown() waits until no call of the listener runs, or waits to",
    RESET.name: "when nothing is noted of a queue while its offset is reset",
    ARRIVING.name: "when nothing is committed, the group begins with the last offset, and the queue's first consumer "
    "keeps it until an offset is",
    FIRST.name: "when the group begins with the first offset",
    REPLACED_FIRST.name: "when the group begins with the first offset, and a replica answers in the broker's place",
    "mixed": "when two clients share a group, and the premises of the claims that are named hold for both",
    IN_TURN.name: "when one consumer comes after the other, and none ends at once",
    IN_TURN_STEADY.name: "when one consumer comes after the other, none ends at once, and no table changes while its "
    "offsets are sent",
}


PLACES = Places(OFFSETS, circumstances(WHEN))
