"""What a command was asked to do, as far as the amount of its work follows from that."""

from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.bounds import Bounds


@dataclass(frozen=True)
class Asked:
    """Taken from the command's options and the ledger, not from what the work found."""

    claims: tuple[Claim, ...] = ()
    solvers: tuple[str, ...] = ()
    """Who has to answer every question; empty when nothing is put to the solvers."""
    width: bool = False
    """Whether it is asked what premises leave open."""
    bounds: Bounds | None = None
    """How far is enumerated; None when nothing is."""
    vectors: Path | None = None
    """The directory of recorded results; None when there is none."""
