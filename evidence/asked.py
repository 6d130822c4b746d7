"""The request of a command, from which the required amount of work is computed."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rebalance_proofs.proofs.claim import Claim

if TYPE_CHECKING:
    from rebalance_proofs.spark_enum.bounds import Bounds


@dataclass(frozen=True)
class Asked:
    """The request of a command, taken from its options and the ledger, not from results."""

    claims: tuple[Claim, ...] = ()
    solvers: tuple[str, ...] = ()
    """The solvers that must answer every query; empty if no solver is used."""
    width: bool = False
    """Whether vacuity checks of the assumptions are requested."""
    bounds: "Bounds | None" = None
    """The bounds of the enumeration; None if the command does not enumerate."""
    vectors: Path | None = None
    """The directory of recorded client results; None if there is none."""
