"""All causes. To add one: write it in the file of its room."""

from rebalance_proofs.report.symptoms.cause import Cause
from rebalance_proofs.report.symptoms.causes import (
    handover,
    lists,
    locks,
    offsets,
    pulls,
    registry,
    replicas,
    shutdown,
    table,
    uncommitted,
)

__all__ = ["CAUSES"]

CAUSES: tuple[Cause, ...] = (
    *handover.CAUSES,
    *lists.CAUSES,
    *registry.CAUSES,
    *table.CAUSES,
    *offsets.CAUSES,
    *shutdown.CAUSES,
    *replicas.CAUSES,
    *uncommitted.CAUSES,
    *pulls.CAUSES,
    *locks.CAUSES,
)
"""Those that need equally much stand in this order in an answer."""
