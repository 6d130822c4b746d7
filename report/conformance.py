"""What recordings of real clients show about a claim: the mark, its reason, and the recordings."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.report.claims.mark import Mark, worded
from rebalance_proofs.report.text.english import capitalized, count, listing


class How(StrEnum):
    """The ways in which recordings of real clients support a claim.

    Values are those of the JSON.
    """

    COMPARED = "compared"
    """Recorded results of real clients were compared with the modelled code that the claim is about."""
    HAPPENED = "happened"
    """In recorded groups, an event happened that refutes the claim, or that the claim says can happen."""
    KEPT = "kept"
    """The claim holds, and recorded groups never violated it although they had chances to."""
    ACCEPTED = "accepted"
    """The claim's machine (a model of client and broker code) explains the events of recorded groups."""
    SAME = "same code"
    """Under its assumptions, the claim's machine equals that of a client with support listed above."""
    NOTHING = "nothing"
    """Recordings do not support the claim in any of these ways."""


@dataclass(frozen=True)
class Showing:
    """How often recorded groups showed an event that a claim is about."""

    what: str
    """The event that the claim denies, or says can happen."""
    times: int
    """Number of occurrences; for a claim that holds, number of times that the event could have happened."""
    recordings: tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """Evidence from recordings for one claim."""

    mark: Mark
    results: dict[str, int]
    """Client and version -> number of recorded results that the claim's code reproduces."""
    without: tuple[str, ...] = ()
    """Subjects, and clients of a subject, without recordings, by user-visible names."""
    how: How = How.NOTHING
    shows: tuple[Showing, ...] = ()
    """Results of the monitors, which look for events in recorded groups that claims are about."""
    events: int = 0
    """Number of events of recorded groups that exactly the claim's machine explains."""
    releases: tuple[str, ...] = ()
    """Releases with a recorded group that the claim is about."""
    same_as: str = ""
    """Id of a claim about the same machine, for a client that was recorded."""
    why: str = ""
    """Why a claim that recorded groups could show is not observed."""

    @property
    def cases(self) -> int:
        """How often the event of a claim happened, or could have happened and did not; 0 without recorded groups."""
        return sum(one.times for one in self.shows)

    @property
    def word(self) -> str:
        """The printed mark: ``observed``, ``observed in 4 cases``."""
        return worded(self.mark, self.cases)

    @property
    def words(self) -> str:
        """The mark and its reasons in a sentence."""
        mark = capitalized(self.word)
        if self.results:
            found = "; ".join(f"{count(number, 'result')} of {client}" for client, number in self.results.items())
            missing = f". Not recorded: {listing(self.without)}" if self.without else ""
            return f"{mark}: the model computes the same as real clients: {found}{missing}."
        of = self._groups
        among = "package" if self.mark is Mark.TESTED else "recording"
        if self.how is How.HAPPENED:
            shown = "; ".join(_happened(one, among) for one in self.shows)
            return f"{mark}: it happened in {of}: {shown}.{self._explained}"
        if self.how is How.KEPT:
            shown = "; ".join(_kept(one, among) for one in self.shows)
            return f"{mark}: {of} never broke it: {shown}.{self._explained}"
        if self.how is How.ACCEPTED:
            explained = f"the model explains {count(self.events, 'event')} of {of}"
            return f"{mark}: {explained}. Why it is not observed: {self.why}."
        if self.how is How.SAME:
            return (
                f"{mark}: no group of these releases was recorded. Under the claim's assumptions, its model is the "
                f"same as that of {self.same_as}, which recordings or packages support."
            )
        why = self.why or "no recorded result of a real client was compared with this code"
        return f"{mark}: {why}."

    @property
    def behind(self) -> tuple[str, ...]:
        """The recorded evidence in short lines, without facts about this claim alone."""
        if self.results:
            found = [f"{number:,} of {client}" for client, number in self.results.items()]
            return (*found, *([f"none of {listing(self.without)}"] if self.without else []))
        of = self._groups.removeprefix("recorded ")
        return {
            How.HAPPENED: (f"happened {count(self.cases, 'time')} in {of}",),
            How.KEPT: (f"never broken in {of}, which had {count(self.cases, 'chance')} to",),
            How.ACCEPTED: (f"{self.events:,} events of {of} explained",),
            How.SAME: ("a client with the same model under these assumptions",),
        }.get(self.how, ("none",))

    @property
    def _groups(self) -> str:
        """The recorded groups, or the packages, in words."""
        client = self.releases[0].rpartition(" ")[0] if self.releases else ""  # empty for the remoting client of Java
        of = f"{client or 'Java'} {listing(one.rpartition(' ')[2] for one in self.releases)}"
        return f"packages of {of} with a stubbed network" if self.mark is Mark.TESTED else f"recorded groups of {of}"

    @property
    def _explained(self) -> str:
        if self.mark is Mark.TESTED:
            return f" Model and packages agree in {count(self.events, 'sequence')} of steps."
        return f" The model explains {count(self.events, 'event')} of these groups." if self.events else ""


def _happened(one: Showing, among: str) -> str:
    return f"{one.what} ({count(one.times, 'time')} in {count(len(one.recordings), among)})"


def _kept(one: Showing, among: str) -> str:
    of = f"{count(one.times, 'chance')} in {count(len(one.recordings), among)}"
    return f"in none of {of} did this happen: {one.what}"
