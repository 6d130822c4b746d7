"""Conformance marks: whether recorded results of real clients stand behind a claim's subjects, or the model alone.

All pages and answers take their marks from here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.compared import Compared, compared
from rebalance_proofs.report.english import capitalized, count, listing
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.shown import Shown

__all__ = [
    "BRIEFLY",
    "EXPLAINED",
    "GROUPS",
    "Mark",
    "Seen",
    "among",
    "by_mark",
    "mark_of",
    "marks",
    "of_claims",
    "seen",
    "seen_of",
    "together",
]

EXPLAINED = (
    "seen: results that real clients were recorded to compute were compared with the code that the claim is about. "
    "in part: with that of some of its clients or strategies. model only: with none of it; that code was written from "
    "sources and documentation. Recorded were single cases: whether a claim holds, or fails, is what the proofs say of "
    "the model."
)
BRIEFLY = (
    "seen, in part, model only: whether recorded results of real clients were compared with the code that it is about; "
    "`rebalance show CLAIM` says of which clients."
)
"""The same in short, for a terminal."""


class Mark(StrEnum):
    """The mark's words."""

    SEEN = "seen"
    PART = "in part"
    MODEL = "model only"


GROUPS = Mark.MODEL
"""Mark of explored whole groups: only strategies and single rebalances of one client were recorded."""


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


@cache
def _by_id() -> dict[str, Claim]:
    return {claim.id: claim for claim in LEDGER}


@cache
def mark_of(name: str) -> Mark:
    """Mark of the claim with that id. Raises ``KeyError`` if the ledger does not have it."""
    return seen(_by_id()[name]).mark


def marks(names: Iterable[str]) -> dict[str, str]:
    """Claim id -> mark, for tools."""
    return {name: mark_of(name).value for name in names}


def together(names: Iterable[str]) -> Mark:
    """One mark for several claims: their common mark, else that they are seen in part."""
    found = {mark_of(name) for name in names}
    return found.pop() if len(found) == 1 else Mark.PART


def by_mark(names: Iterable[str], found: Compared | None = None) -> dict[Mark, list[str]]:
    """Mark -> claims. ``found`` as in ``seen``."""
    return grouped(names, lambda name: mark_of(name) if found is None else seen(_by_id()[name], found).mark)


def of_claims(names: Iterable[str], told: Callable[[str], str] = str) -> str:
    """Claims grouped by expected verdict and mark: ``REFUTED, model only: offsets.java_v4_9.once``."""
    alike = grouped(names, lambda name: (_by_id()[name].expected, mark_of(name)))
    return "; ".join(f"{verdict}, {mark}: {', '.join(map(told, own))}" for (verdict, mark), own in alike.items())


def among(claims: Iterable[Claim], found: Compared | None = None) -> str:
    """The claims' common mark: ``model only``; else marks with their subjects: ``seen: AVG; model only: CONFIG``.

    ``found`` as in ``seen``.
    """
    alike: dict[Mark, list[str]] = {}
    for claim in claims:
        alike.setdefault(seen(claim, found).mark, []).append(" + ".join(map(shown(claim).label, claim.subjects)))
    if len(alike) == 1:
        return next(iter(alike)).value
    return "; ".join(f"{mark}: {', '.join(dict.fromkeys(own))}" for mark, own in sorted(alike.items(), key=_place))


def _place(one: tuple[Mark, list[str]]) -> int:
    return tuple(Mark).index(one[0])
