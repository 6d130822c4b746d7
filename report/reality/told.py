"""Result of one monitor for one recording: events that claims deny, and chances for such events."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rebalance_proofs.model.machines.receiving import SdkClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.steps import compared

# Pinned evidence from recorded groups; nothing is computed here.
# ``python -m rebalance_proofs.report.reality.pin`` rewrites the file from the recordings in this package.

FILE, OF_SDKS = "pinned.json", "sdks.json"
"""Names of the files beside this module: about groups of the remoting client, and about gRPC clients."""


@dataclass(frozen=True)
class Pinned:
    """Evidence from one recording."""

    accepted: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Kind -> client of a claim -> release -> number of events that the client's machine explains."""
    kept: Mapping[str, Mapping[str, int]]
    """Claim that holds -> event that it denies -> number of chances for the event, which never happened."""
    happened: Mapping[str, Mapping[str, int]]
    """Refuted claim, or claim that something can happen -> the event -> number of occurrences."""
    broken: Mapping[str, Mapping[str, int]]
    """Claim that holds -> event that it denies -> number of occurrences, which contradict the claim."""
    monitored: tuple[str, ...]
    """Claims with a monitor in this recording."""
    releases: tuple[str, ...]
    """Releases of its consumers."""

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Pinned":
        """Parse one recording's evidence from the file's JSON."""
        return cls(**{**row, "monitored": tuple(row["monitored"]), "releases": tuple(row["releases"])})


@cache
def pinned() -> Mapping[str, Pinned]:
    """Return the evidence of each recording; the file is read once."""
    return _rows(_document(FILE))


@cache
def recorded_sdks() -> Mapping[str, Pinned]:
    """Return the evidence of each recording with gRPC members; the file is read once."""
    return _rows(_document(OF_SDKS)["recordings"])


@cache
def compared_sdks() -> Mapping[str, Pinned]:
    """Return the evidence of each compared package of a gRPC client: ``accepted`` counts sequences of steps."""
    return _rows(_document(OF_SDKS)["packages"])


def _document(name: str) -> Any:
    return json.loads(files("rebalance_proofs.report.reality").joinpath(name).read_text(encoding="utf-8"))


def _rows(of: Mapping[str, Any]) -> Mapping[str, Pinned]:
    return {name: Pinned.read(row) for name, row in of.items()}


Bad = tuple[int, int | None]
"""A violation: (time in ms since the recording's first event, duration in ms or None)."""


@dataclass(frozen=True)
class Told:
    """When an event that claims deny happened (``bad``), and how often it could have (``chances``)."""

    claims: Sequence[Claim]
    what: str
    """The event that the claims deny."""
    chances: int
    bad: Sequence[Bad]
    can: Sequence[Claim] = ()
    """Claims that say that the event can happen, so that it supports them."""
    perhaps: Sequence[Claim] = ()
    """Claims with a dropped assumption, if the recording does not show whether that assumption failed."""


@dataclass(frozen=True)
class Happening:
    """Occurrences of an event in one recording."""

    what: str
    claims: tuple[str, ...]
    """Ids of refuted claims that deny the event, and of proved claims that say that it can happen."""
    times: int
    at: int
    """Time of the first occurrence, in ms since the recording's first event."""
    longest: int | None
    """Longest duration in ms, or None."""
    perhaps: tuple[str, ...] = ()
    """Ids of claims that the event may refute, see ``Told.perhaps``."""


@dataclass(frozen=True)
class Held:
    """A claim that holds, and how often a recording could have contradicted it."""

    claim: str
    what: str
    opportunities: int
    against: int


def told(
    kind: str,
    release: str,
    guarantee: str,
    what: str,
    chances: int,
    bad: Iterable[Bad],
    *,
    variants: Iterable[str] = ("",),
    perhaps: Iterable[str] = (),
    can: bool = False,
    holding: bool = False,
    of: Callable[[Any], bool] = lambda subject: True,
) -> Told:
    """Return a monitor's result for the claims about one guarantee and the recorded release.

    ``variants`` and ``perhaps``: last parts of the claims' ids. ``of``: selects the clients. ``can``: the claims say
    that the event can happen, instead of denying it. ``holding``: only claims that hold.
    """

    def named(those: Iterable[str]) -> list[Claim]:
        known = (claim for variant in those for claim in _known().get((kind, guarantee, variant), ()))
        mine = (claim for claim, of_releases in known if release in of_releases and of(claim.subjects[0]))
        return [claim for claim in mine if claim.holds or not holding]

    claims, events = named(variants), sorted(bad, key=lambda one: one[0])
    return Told([] if can else claims, what, chances, events, claims if can else [], named(perhaps))


def told_between(
    kind: str,
    release: str,
    other: str,
    guarantee: str,
    what: str,
    chances: int,
    bad: Iterable[Bad],
    *,
    of: Callable[[Any], bool] = lambda subject: True,
) -> Told:
    """Return a monitor's result for the claims about a client of ``release`` in a group with one of ``other``."""
    found = []
    for claim in LEDGER:
        if (claim.kind, claim.guarantee.name, len(claim.subjects)) == (kind, guarantee, 2) and of(claim.subjects[0]):
            mine, its = map(releases, claim.subjects)
            found += [claim] * (release in mine and other in its)
    return Told(found, what, chances, sorted(bad, key=lambda one: one[0]))


def releases(subject: Any) -> tuple[str, ...]:
    """Return the releases of a client of any kind; none if it has none."""
    if isinstance(subject, SdkClient):
        return tuple(dict.fromkeys((*subject.releases, *compared(subject))))
    parts = (subject,) if hasattr(subject, "releases") else getattr(subject, "generations", ())
    return tuple(release for part in parts for release in part.releases)


@cache
def _known() -> Mapping[tuple[str, str, str], list[tuple[Claim, frozenset[str]]]]:
    """Return the claims about one client, with its releases, by kind, guarantee and variant."""
    found: defaultdict[tuple[str, str, str], list[tuple[Claim, frozenset[str]]]] = defaultdict(list)
    for claim in LEDGER:
        if len(claim.subjects) == 1:
            mine = frozenset(releases(claim.subjects[0]))
            found[claim.kind, claim.guarantee.name, claim.variant].append((claim, mine))
    return found


def happenings(of: Iterable[Told]) -> list[Happening]:
    """Return the events that refuted claims deny; events of several consumers are merged."""
    bad: defaultdict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Bad]] = defaultdict(list)
    for one in of:
        broken = tuple(claim.id for claim in (*one.claims, *one.can) if not claim.holds or claim in one.can)
        perhaps = tuple(claim.id for claim in one.perhaps if not claim.holds)
        if broken or perhaps:
            bad[one.what, broken, perhaps] += one.bad
    return [
        Happening(
            what,
            broken,
            len(events),
            min(at for at, _ in events),
            max((ms for _, ms in events if ms is not None), default=None),
            perhaps,
        )
        for (what, broken, perhaps), events in bad.items()
        if events
    ]


def helds(of: Iterable[Told]) -> list[Held]:
    """Return claims that hold with their chances; chances of several consumers are merged."""
    sums: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for one in of:
        for claim in one.claims:
            if claim.holds and one.chances:
                found = sums[claim.id, one.what]
                found[0], found[1] = found[0] + one.chances, found[1] + len(one.bad)
    return [Held(claim, what, *numbers) for (claim, what), numbers in sums.items()]
