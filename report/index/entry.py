"""The record of one claim in the index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.family import Family
from rebalance_proofs.report.mark import Mark, worded
from rebalance_proofs.report.modes import MODES

ANYBODY = ""
"""Stands for any release, or for any mode of use."""
Listed = tuple[str, str]
"""(heading above a claim in a list, the claim's sentence below the heading)."""


@dataclass(frozen=True)
class Entry:
    """The facts about one claim that commands print; see ``proofs.claim.Claim``."""

    id: str
    kind: str
    family: Family
    row: tuple[str, ...]
    """Row names of the claim in its family's table."""
    alone: Listed
    """Heading and sentence for lists in which all claims have this heading."""
    among: Listed
    """Heading and sentence for lists in which claims share only the first row name."""
    sentence: str
    """The claim's sentence, with clients' names instead of strategies' short names."""
    expected: str
    """``PROVED`` or ``REFUTED``."""
    scope: str
    source: str
    dropped: bool
    """Whether the claim drops an assumption."""
    limits: tuple[str, ...]
    """Remarks on strategies for which the claim covers only some queues."""
    mark: Mark
    cases: int
    """How often recorded groups showed the claim's event, or could have contradicted it (``Seen.cases``)."""
    kept: bool
    """Whether ``cases`` counts chances to contradict the claim, which recorded groups never did."""
    results: Mapping[str, int]
    """Client and version -> number of recorded results that the modelled code reproduces."""
    labels: tuple[str, ...]
    """Display names of the claim's subjects (clients or strategies)."""
    names: tuple[str, ...]
    """Names that select the claim on the command line (``proofs.named``)."""
    strategies: tuple[str, ...]
    """The claim's strategies, by the names that users configure."""
    stands_for: tuple[str, ...] | None
    """Short names of the claim's strategies, also of those applied topic by topic.

    None if it has no strategy.
    """
    shipped: bool
    """Whether RocketMQ clients ship each of the claim's strategies."""
    released: bool
    """Whether the claim is about particular client releases."""
    explored: tuple[str, ...]
    """Commands that explore the standard groups in which the explorer checks the claim."""
    example: str | None
    """The command that explores the first example group in which the claim fails.

    None if there is none.
    """
    covered: Mapping[str, int]
    """Release -> covered modes of use, as a bit set over (``ANYBODY``, ``MODES``) with the lowest bit first."""

    @property
    def label(self) -> str:
        """The names of all subjects, joined."""
        return " + ".join(self.labels)

    @property
    def word(self) -> str:
        """The printed mark: ``observed``, ``observed in 4 cases``."""
        return worded(self.mark, self.cases)

    @property
    def holds(self) -> bool:
        """Whether the claim is expected to hold."""
        return self.expected == "PROVED"

    def covers(self, release: str = ANYBODY, mode: str = ANYBODY) -> bool:
        """Return whether the claim is about this release and mode, or about one that is proved to behave the same."""
        return bool(self.covered.get(release, 0) >> (ANYBODY, *MODES).index(mode) & 1)


def listed(claims: Sequence[Entry]) -> tuple[str, tuple[str, ...]]:
    """Return a heading for the claims, and a sentence for each claim below the heading."""
    if len({claim.alone[0] for claim in claims}) == 1:
        return claims[0].alone[0], tuple(claim.alone[1] for claim in claims)
    return claims[0].among[0], tuple(claim.among[1] for claim in claims)
