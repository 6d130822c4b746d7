"""Evidence from recorded groups for claims about consumers and brokers over time."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.claims.mark import MOST_FEW, Mark
from rebalance_proofs.report.conformance import How, Seen, Showing
from rebalance_proofs.report.reality.differs import twins
from rebalance_proofs.report.reality.told import Pinned, compared_sdks, pinned, recorded_sdks, releases

CAN = ("exact", "as-long", "kept-so-long", "route-as-long", "answered-as-late", "never-answered")
"""Guarantees that some state can be reached.

A recording that reaches the state supports them.
"""


def _of_sdks(claim: Claim) -> bool:
    """Return whether the claim's kind is one about gRPC clients, which are compared as packages."""
    return any(claim.kind in one.accepted for one in compared_sdks().values())


def _shown(claim: Claim) -> Mapping[str, Pinned]:
    return recorded_sdks() if _of_sdks(claim) else pinned()


def groups_seen(claim: Claim, of: Mapping[str, Pinned] | None = None) -> Seen:
    """Return the evidence for a claim, by default from the stored results of this package's recordings.

    For a claim about gRPC clients that no recording shows, it is that of compared packages, if they show the claim.
    """
    if of is None and _of_sdks(claim):
        recorded, tested = groups_seen(claim, recorded_sdks()), groups_seen(claim, compared_sdks())
        observed = (Mark.SEEN, Mark.FEW)
        broken = any(claim.id in one.broken for one in recorded_sdks().values())
        weaker = recorded.mark not in observed and tested.mark in observed and not broken
        return replace(tested, mark=Mark.TESTED) if weaker else recorded
    shown = _shown(claim) if of is None else of
    known = recorded_releases(claim, shown)
    if not known:
        same = [(one, groups_seen(one, shown)) for one in _twins(claim, shown)]
        found = next((one for one, seen in same if seen.mark in (Mark.SEEN, Mark.FEW, Mark.ACCEPTED)), None)
        why = "no group of these releases was recorded"
        return Seen(Mark.ALIKE, {}, how=How.SAME, same_as=found.id) if found else Seen(Mark.MODEL, {}, why=why)
    events = _events(claim, shown)
    denies = claim.holds and claim.guarantee.name not in CAN
    rows = {name: one.kept if denies else one.happened for name, one in shown.items()}
    showings = _showings({name: its.get(claim.id, {}) for name, its in rows.items()})
    against = any(claim.id in one.broken for one in shown.values())
    if showings and not against:
        how = How.KEPT if denies else How.HAPPENED
        few = denies and sum(one.times for one in showings) <= MOST_FEW
        return Seen(Mark.FEW if few else Mark.SEEN, {}, how=how, shows=showings, events=events, releases=known)
    why = _why(claim, shown)
    if events:
        return Seen(Mark.ACCEPTED, {}, how=How.ACCEPTED, events=events, releases=known, why=why)
    return Seen(Mark.MODEL, {}, releases=known, why=why)


def recorded_releases(claim: Claim, of: Mapping[str, Pinned] | None = None) -> tuple[str, ...]:
    """Return the recorded releases of the claim's clients; none if one client has no recording."""
    here = {release for one in (_shown(claim) if of is None else of).values() for release in one.releases}
    own = [[release for release in releases(subject) if release in here] for subject in claim.subjects]
    return tuple(dict.fromkeys(release for found in own for release in found)) if all(own) else ()


def _twins(claim: Claim, of: Mapping[str, Pinned]) -> list[Claim]:
    accepted = (one.accepted.get(claim.kind, {}) for one in of.values())
    clients = dict.fromkeys(name for its in accepted for name in its)
    return twins(claim, clients) if len(claim.subjects) == 1 else []


def _events(claim: Claim, of: Mapping[str, Pinned]) -> int:
    """Return the number of recorded events that exactly the claim's machine explains.

    0 for two clients.
    """
    if len(claim.subjects) > 1:
        return 0
    own = (one.accepted.get(claim.kind, {}).get(claim.subjects[0].name, {}) for one in of.values())
    return sum(events for found in own for events in found.values())


def _showings(of: Mapping[str, Mapping[str, int]]) -> tuple[Showing, ...]:
    times: defaultdict[str, int] = defaultdict(int)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, found in of.items():
        for what, number in found.items():
            times[what] += number
            names[what].append(name)
    return tuple(Showing(what, number, tuple(names[what])) for what, number in times.items())


def _why(claim: Claim, of: Mapping[str, Pinned]) -> str:
    """Return why a claim is not observed although a release that it is about was recorded."""
    if any(claim.id in one.broken for one in of.values()):
        return "a recording contradicts it, or its assumptions failed there"
    if not any(claim.id in one.monitored for one in of.values()):
        if len(claim.subjects) > 1:
            return "it is about two clients, and no recording has a group with both"
        if claim.guarantee.name in CAN:
            return "it says what can happen, which no recording contradicts"
        return f"no monitor checks for {'its circumstances' if claim.world.dropped else 'it'}"
    if claim.holds and claim.guarantee.name not in CAN:
        return "no recording had a chance to contradict it"
    return "it happened in no recording"
