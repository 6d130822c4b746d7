"""All causes. To add a cause, write it in the file of its subject."""

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
"""All causes. Causes with equally many conditions are printed in this order."""
