"""Whether recorded results of real clients stand behind what a claim is about, or the model alone."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.recorded.compared import Compared, compared
from rebalance_proofs.report.english import capitalized, count, listing
from rebalance_proofs.report.kinds import shown

__all__ = ["EXPLAINED", "Mark", "Seen", "seen"]

EXPLAINED = (
    "seen: results that real clients were recorded to compute were compared with the code that the claim is about. "
    "in part: with that of some of its clients or strategies. model only: with none of it; that code was written from "
    "sources and documentation. Recorded were single cases: whether a claim holds is what the proofs say of the model."
)


class Mark(StrEnum):
    """In a word."""

    SEEN = "seen"
    PART = "in part"
    MODEL = "model only"


@dataclass(frozen=True)
class Seen:
    """Of one claim."""

    mark: Mark
    results: dict[str, int]
    """Client and version -> how many recorded results of it were computed alike by the code that the claim is about."""
    without: tuple[str, ...] = ()
    """Subjects, and clients that have one, of which nothing was recorded, as users know them."""

    @property
    def words(self) -> str:
        """In a sentence."""
        if not self.results:
            return "Model only: no recorded result of a real client was compared with this code."
        found = "; ".join(f"{count(number, 'result')} of {client}" for client, number in self.results.items())
        missing = f". Nothing was recorded of {listing(self.without)}" if self.without else ""
        return f"{capitalized(self.mark)}: recorded results of real clients, computed alike: {found}{missing}."


def seen(claim: Claim, found: Compared | None = None) -> Seen:
    """By what was ``found`` in a comparison; unless told, by what is pinned of the recordings that come along."""
    found = compared() if found is None else found
    kind = shown(claim)
    results: dict[str, int] = {}
    without: list[str] = []
    bare = 0
    for one in claim.subjects:
        recordings = kind.recorded(one)
        own = {client: found[pair] for pair, client in recordings.items() if found.get(pair)}
        for client, number in own.items():
            results[client] = results.get(client, 0) + number
        without += [client for client in recordings.values() if client not in own] if own else [kind.label(one)]
        bare += not own
    mark = Mark.MODEL if not results else Mark.PART if bare else Mark.SEEN
    return Seen(mark, results, tuple(dict.fromkeys(without)))
