"""The request of a command, from which the amount of its work follows."""

from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.bounds import Bounds


@dataclass(frozen=True)
class Asked:
    """The request, taken from the command's options and the ledger, not from results."""

    claims: tuple[Claim, ...] = ()
    solvers: tuple[str, ...] = ()
    """The solvers that have to answer every question; empty when none is asked."""
    width: bool = False
    """Whether the vacuity checks of premises (width) are made."""
    bounds: Bounds | None = None
    """The bounds of the enumeration; None without one."""
    vectors: Path | None = None
    """The directory of recorded results; None when there is none."""
