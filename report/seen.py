"""Conformance of claims: the recorded results of real clients that stand behind them.

All marks come from here, those in the index (``report.marks``) too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.compared import Compared, compared
from rebalance_proofs.report.english import capitalized, count, listing
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.marks import by_label
from rebalance_proofs.report.shown import Shown

__all__ = ["Seen", "among", "by_mark", "seen", "seen_of"]


@dataclass(frozen=True)
class Seen:
    """Conformance of one claim's subjects."""

    mark: Mark
    results: dict[str, int]
    """Client and version -> number of its recorded results that the claim's code computes alike."""
    without: tuple[str, ...] = ()
    """Subjects, and clients of a subject, without recordings, by the names that users know."""

    @property
    def words(self) -> str:
        """The mark and its reasons in a sentence."""
        if not self.results:
            return "Model only: no recorded result of a real client was compared with this code."
        found = "; ".join(f"{count(number, 'result')} of {client}" for client, number in self.results.items())
        missing = f". Nothing was recorded of {listing(self.without)}" if self.without else ""
        return f"{capitalized(self.mark)}: recorded results of real clients, computed alike: {found}{missing}."


def seen(claim: Claim, found: Compared | None = None) -> Seen:
    """Conformance of a claim, from the ``found`` numbers of a comparison; by default from the pinned recordings."""
    return seen_of(shown(claim), claim.subjects, found)


def seen_of(kind: Shown, subjects: Iterable[Any], found: Compared | None = None) -> Seen:
    """The same for any subjects of a kind."""
    found = compared() if found is None else found
    results: dict[str, int] = {}
    without: list[str] = []
    bare = 0
    for one in subjects:
        recordings = kind.recorded(one)
        own = {client: found[pair] for pair, client in recordings.items() if found.get(pair)}
        for client, number in own.items():
            results[client] = results.get(client, 0) + number
        without += [client for client in recordings.values() if client not in own] if own else [kind.label(one)]
        bare += not own
    mark = Mark.MODEL if not results else Mark.PART if bare else Mark.SEEN
    return Seen(mark, results, tuple(dict.fromkeys(without)))


def by_mark(names: Iterable[str], found: Compared | None = None) -> dict[Mark, list[str]]:
    """Mark -> claims. ``found`` as in ``seen``. Raises ``LookupError`` for an id that the ledger does not have."""
    return grouped(names, lambda name: seen(LEDGER.named(name), found).mark)


def among(claims: Iterable[Claim], found: Compared | None = None) -> str:
    """The claims' common mark, or their marks with their subjects (``marks.by_label``). ``found`` as in ``seen``."""
    return by_label((seen(claim, found).mark, " + ".join(map(shown(claim).label, claim.subjects))) for claim in claims)
