"""What the index knows of a claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.family import Family
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.modes import MODES

__all__ = ["ANYBODY", "Entry", "Listed", "listed"]

ANYBODY = ""
"""Stands for any release, and for any mode of use."""
Listed = tuple[str, str]
"""The heading above a claim in a list, and its sentence there."""


@dataclass(frozen=True)
class Entry:
    """One claim of the ledger, in words; see ``proofs.claim.Claim``."""

    id: str
    kind: str
    family: Family
    row: tuple[str, ...]
    """Row names in its family's table."""
    alone: Listed
    """As listed by itself, or with claims that have the same heading then."""
    among: Listed
    """As listed with others of its row's first name."""
    sentence: str
    """With the clients' names where the ledger has their strategies' short names."""
    expected: str
    """``PROVED`` or ``REFUTED``."""
    scope: str
    source: str
    dropped: bool
    """Whether its world drops a premise."""
    limits: tuple[str, ...]
    """Remarks on subjects that it covers only in part."""
    mark: Mark
    results: Mapping[str, int]
    """Client and version -> number of its recorded results that the claim's code computes alike."""
    labels: tuple[str, ...]
    """Its subjects' names for tables."""
    names: tuple[str, ...]
    """Names that stand for it in a selection (``proofs.named``)."""
    strategies: tuple[str, ...]
    """Its strategies, by the names that users configure."""
    stands_for: tuple[str, ...] | None
    """Short names of the strategies that it is about, alone or topic by topic; None if it is about no strategy."""
    shipped: bool
    """Whether clients of RocketMQ run each strategy that it is about."""
    released: bool
    """Whether its subjects name releases."""
    explored: tuple[str, ...]
    """Commands that explore the standard groups in which it is watched for."""
    example: str | None
    """The command that explores the first group in which it is seen to fail; None if none shows it."""
    covered: Mapping[str, int]
    """Release -> bits, one for each mode of use that it covers; of ``ANYBODY`` and ``MODES``, the first is lowest."""

    @property
    def label(self) -> str:
        """The names of all subjects."""
        return " + ".join(self.labels)

    @property
    def holds(self) -> bool:
        """Whether it is expected to hold."""
        return self.expected == "PROVED"

    def covers(self, release: str = ANYBODY, mode: str = ANYBODY) -> bool:
        """Whether it is about that client in that mode, or about one that is proved to behave the same there."""
        return bool(self.covered.get(release, 0) >> (ANYBODY, *MODES).index(mode) & 1)


def listed(claims: Sequence[Entry]) -> tuple[str, tuple[str, ...]]:
    """(heading, a sentence for each claim below it), as ``report.shown.Shown.listed`` has it for these claims."""
    if len({claim.alone[0] for claim in claims}) == 1:
        return claims[0].alone[0], tuple(claim.alone[1] for claim in claims)
    return claims[0].among[0], tuple(claim.among[1] for claim in claims)
