"""Where claims about offsets stand: circumstances in rows, clients in columns."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.brokers import COMMITTED, FIRST
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.shown import Cells, Row

__all__ = ["OFFSETS", "cells", "column", "family", "listed", "row"]

OFFSETS = Family(
    "offsets",
    "Offsets",
    "What becomes of one message of a queue, whoever consumes it: a consumer begins where the group's offset is at the "
    "broker, notes what it has consumed, and sends that from time to time. Consumers with concurrent listeners and the "
    "offset store that they ship. Clients in columns, what is given in rows.",
    ("Claim", "When"),
    spelled_out=True,
)
WHEN = {
    COMMITTED.name: "when an offset is committed, and is answered without an error",
    FIRST.name: "when the group begins with the first offset",
}


def family(claim: Claim) -> Family:
    """There is one."""
    return OFFSETS


def head(claim: Claim) -> str:
    """The guarantee."""
    return f"{claim.guarantee.name}: {claim.guarantee.sentence}"


def when(claim: Claim) -> str:
    """All premises, or what is the case because one does not hold."""
    return f"even if {claim.world.otherwise}" if claim.world.dropped else WHEN[claim.world.name]


def row(claim: Claim) -> Row:
    """What is claimed, and under which circumstances."""
    return head(claim), when(claim)


def column(claim: Claim) -> str:
    """The client."""
    name: str = claim.subjects[0].rocketmq_name
    return name


def cells(claims: Sequence[Claim]) -> Cells:
    """Each claim fills its own."""
    return grouped(claims, lambda claim: (row(claim), column(claim)))


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """The guarantee, once; and of each claim its client and circumstances."""
    return head(claims[0]), tuple(f"{column(claim)}, {when(claim)}" for claim in claims)
