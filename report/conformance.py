"""What recordings of real clients show about a claim: the mark, its reason, and the recordings."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.report.english import capitalized, count, listing
from rebalance_proofs.report.mark import Mark

__all__ = ["How", "Seen", "Showing"]


class How(StrEnum):
    """How recordings support a claim, in JSON."""

    COMPARED = "compared"
    """Recorded results were compared with its code."""
    HAPPENED = "happened"
    """Recorded groups did what the claim, which does not hold, denies; or what it says that can be."""
    KEPT = "kept"
    """Recorded groups had chances not to keep the claim, which holds, and kept it each time."""
    ACCEPTED = "accepted"
    """Behaviours of its machine explain what recorded groups did."""
    SAME = "same code"
    """Under its premises its machine is that of a client of which one of the above is so."""
    NOTHING = "nothing"
    """None of these."""


@dataclass(frozen=True)
class Showing:
    """What recorded groups showed of a claim."""

    what: str
    """What the claim denies, or says that can be."""
    times: int
    """How often it happened; of a claim that holds, how often it could have."""
    recordings: tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """Conformance of one claim's subjects."""

    mark: Mark
    results: dict[str, int]
    """Client and version -> number of its recorded results that the claim's code computes alike."""
    without: tuple[str, ...] = ()
    """Subjects, and clients of a subject, without recordings, by the names that users know."""
    how: How = How.NOTHING
    shows: tuple[Showing, ...] = ()
    """What recorded groups showed, in the order of the monitors."""
    events: int = 0
    """Events of recorded groups that behaviours of exactly this machine explain."""
    releases: tuple[str, ...] = ()
    """The recorded releases that it is about."""
    same_as: str = ""
    """The claim of a client that was recorded, about the same machine."""
    why: str = ""
    """Why it is not seen, of a claim that recorded groups could show."""

    @property
    def words(self) -> str:
        """The mark and its reasons in a sentence."""
        mark = capitalized(self.mark.word)
        if self.results:
            found = "; ".join(f"{count(number, 'result')} of {client}" for client, number in self.results.items())
            missing = f". Not recorded: {listing(self.without)}" if self.without else ""
            return f"{mark}: the model computes the same as real clients: {found}{missing}."
        of = f"groups of Java {listing(self.releases)}"
        if self.how is How.HAPPENED:
            return f"{mark}: it happened in recorded {of}: {'; '.join(map(_happened, self.shows))}.{self._explained}"
        if self.how is How.KEPT:
            return f"{mark}: recorded {of} never broke it: {'; '.join(map(_kept, self.shows))}.{self._explained}"
        if self.how is How.ACCEPTED:
            explained = f"the model explains {count(self.events, 'event')} of recorded {of}"
            return f"{mark}: {explained}. Why it is not observed: {self.why}."
        if self.how is How.SAME:
            return (
                f"{mark}: no group of these releases was recorded. Under the claim's assumptions, its model is the "
                f"same as that of {self.same_as}, which recordings support."
            )
        why = self.why or "no recorded result of a real client was compared with this code"
        return f"{mark}: {why}."

    @property
    def behind(self) -> tuple[str, ...]:
        """What was recorded, in short lines; for several claims alike."""
        if self.results:
            found = [f"{number:,} of {client}" for client, number in self.results.items()]
            return (*found, *([f"none of {listing(self.without)}"] if self.without else []))
        of = f"groups of Java {listing(self.releases)}"
        return {
            How.HAPPENED: (f"happened in {of}",),
            How.KEPT: (f"never broken in {of}, which had chances to",),
            How.ACCEPTED: (f"{self.events:,} events of {of} explained",),
            How.SAME: ("a client with the same model under these assumptions",),
        }.get(self.how, ("none",))

    @property
    def _explained(self) -> str:
        return f" The model explains {count(self.events, 'event')} of these groups." if self.events else ""


def _happened(one: Showing) -> str:
    return f"{one.what} ({count(one.times, 'time')} in {count(len(one.recordings), 'recording')})"


def _kept(one: Showing) -> str:
    of = f"{count(one.times, 'chance')} in {count(len(one.recordings), 'recording')}"
    return f"in none of {of} did this happen: {one.what}"
