"""The table of RocketMQ's releases: each release's sources, compared calls and recorded groups.

Facts of reading come from ``model.sources``, compared calls from pinned results and the file of results of releases,
recorded groups from the recordings in this package and that file. Nothing is written twice.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from rebalance_proofs.model.releases import JAVA, LANGUAGES, OTHERS, READ, UnknownRelease, resolved
from rebalance_proofs.model.sources import BROKERS, CHECKED, NEWEST, RECORDED_AT, Source, of_broker, of_client
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.recorded import __file__ as _recorded
from rebalance_proofs.recorded.files import OWN, read_pinned
from rebalance_proofs.recorded.files import Pinned as Vectors
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.recorded.groups.run import FOLDER
from rebalance_proofs.report.reality.told import Pinned, pinned
from rebalance_proofs.report.released.results import PUBLISHED, Released, read
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.wrapping import aligned

STRATEGIES, STEPS = "strategies", "steps"
"""Kinds of compared results: calls of allocation strategies, and single rebalances of a client's own classes."""
REBALANCE = "rebalance"
"""Name of the part of the model in pinned results of single rebalances."""
RECORDED = "recorded results"
"""Origin of results that are files of this package."""
PACKAGES = Path(_recorded).parent / "packages.json"
"""Results of released packages of clients in other languages than Java, and of gRPC clients (``recorded.packages``)."""


@dataclass(frozen=True)
class Compared:
    """Results of a release's own code that were compared with the model."""

    what: str
    """``STRATEGIES`` or ``STEPS``."""
    origin: str
    """Name of the jar or package whose code ran, with its version, or ``RECORDED``."""
    calls: int
    differ: int = 0
    """Number of calls with another result than the model's."""
    digest: str = ""
    """SHA-256 of a jar; otherwise empty."""


@dataclass(frozen=True)
class Group:
    """A recorded scenario of a real group."""

    name: str
    clients: tuple[str, ...]
    """Releases of the consumers."""
    servers: str
    """Release of the name server and the brokers."""
    accepted: bool
    """True if the model explains every event."""
    events: int | None = None
    """Number of recorded events; None if they were not counted."""
    unexplained: int | None = None
    """Number of observed problems without a known cause; None if they were not counted."""
    reason: str = ""
    """Why the recording is not accepted, or a problem is unexplained; empty if neither."""
    shipped: str = ""
    """Name of the recording in this package, such as ``java-5.3.3/relock``; empty if it is not in it."""


@dataclass(frozen=True)
class Row:
    """One release of a client; for Java, also of the broker."""

    client: str
    """Name of the client: ``java``, ``go``."""
    version: str
    read: Source | None
    """Where the client's source was read; None if it was not read."""
    broker: Source | None
    """Where the broker's source was read; None if it was not read, or if there is no broker."""
    model: str
    """The releases with the same model of a rebalance, such as ``5.0.0 to 5.1.4``; or the client's name."""
    compared: tuple[Compared, ...] = ()
    recorded: tuple[Group, ...] = ()
    reason: str = ""
    """Jars that Maven's repository lacks, so that nothing could run; empty if it has all, or nobody looked."""

    @property
    def name(self) -> str:
        """The release for a table: ``Java 5.3.3``; a commit instead of a long version."""
        short = self.version
        if self.read and len(short) > len("3.12.0-rc1"):
            short = self.read.where.rpartition(" ")[2]
        return f"{LANGUAGES[self.client]} {short}"

    def calls(self, what: str) -> tuple[int, int]:
        """Return (compared calls, calls that differ) of a kind."""
        mine = [one for one in self.compared if one.what == what]
        return sum(one.calls for one in mine), sum(one.differ for one in mine)


@cache
def table() -> tuple[Row, ...]:
    """Return all releases, by client and newest first, from the files of this package."""
    return rows(read(), read_pinned(OWN), pinned(), _packages("packages"))


@cache
def sdks() -> Sequence[Mapping[str, Any]]:
    """Return the results of the gRPC clients' packages: all sequences of steps."""
    return _packages("sdks")


def _packages(key: str) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = (
        json.loads(PACKAGES.read_text(encoding="utf-8"))[key] if PACKAGES.is_file() else ()
    )
    return found


def rows(
    results: Mapping[str, Released],
    vectors: Mapping[str, Vectors],
    groups: Mapping[str, Pinned],
    packages: Sequence[Mapping[str, Any]] = (),
) -> tuple[Row, ...]:
    """Return all releases, by client and newest first.

    ``results``: release -> its results. ``vectors``: file of recorded results -> its pinned content. ``groups``:
    recording in this package -> its pinned evidence. ``packages``: results of packages, as JSON.
    """
    calls = _together(_of_vectors(vectors), _of_packages(packages))
    recorded = _groups(results, groups)
    known = dict.fromkeys((*PUBLISHED, *JAVA, *BROKERS, *results))
    java = [
        Row(
            "java",
            release,
            of_client("java", release),
            of_broker(release),
            _model(release),
            (*_of_jar(results.get(release)), *calls.get(("java", release), ())),
            tuple(one for one in recorded if release in (*one.clients, one.servers)),
            results[release].reason if release in results else "",
        )
        for release in sorted(known, key=numbers, reverse=True)
    ]
    commit = calls.get(("java", RECORDED_AT), ())
    java += [Row("java", RECORDED_AT, of_client("java", RECORDED_AT), None, _model(RECORDED_AT), commit)]
    others = [
        Row(name, version, of_client(name, version), None, LANGUAGES[name], calls.get((name, version), ()))
        for name in OTHERS
        for version in dict.fromkeys((*reversed(READ[name]), *(of for client, of in calls if client == name)))
    ]
    return (*java, *others)


def _represented(row: Row) -> bool:
    """Return whether another release represents this one."""
    try:
        return bool(resolved(row.version if row.client == "java" else f"{row.client} {row.version}").note)
    except UnknownRelease:
        return False


def _model(version: str) -> str:
    """Return the generation of the release that represents a Java version: ``5.0.0 to 5.1.4``."""
    release = resolved(version).release
    alike = next(one.releases for one in GENERATIONS if release in one.releases)
    if version not in JAVA:
        return f"as {release}"
    return alike[0] if len(alike) == 1 else f"{alike[0]} to {alike[-1]}"


def _of_jar(found: Released | None) -> Iterator[Compared]:
    """Yield what was compared with the classes in a release's jar."""
    if found is None or found.jar is None:
        return
    for what, compared in ((STRATEGIES, found.strategies), (STEPS, found.steps)):
        if compared:
            yield Compared(what, found.jar.name, compared.calls, compared.differ, found.jar.sha256)


def _of_packages(packages: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, str], tuple[Compared, ...]]:
    """Return (client, version) -> what was compared with its package: calls of strategies, and sorted lists."""
    found = {}
    for one in packages:
        calls = one["compared"]["calls"] + one["compared"]["sorts"]
        version = one["version"].removeprefix("v")
        found[one["client"], version] = (Compared(STRATEGIES, f"{one['name']} {version}", calls, one["differ"]),)
    return found


def _together(
    *parts: Mapping[tuple[str, str], tuple[Compared, ...]],
) -> Mapping[tuple[str, str], tuple[Compared, ...]]:
    keys = dict.fromkeys(key for part in parts for key in part)
    return {key: tuple(one for part in parts for one in part.get(key, ())) for key in keys}


def _of_vectors(vectors: Mapping[str, Vectors]) -> Mapping[tuple[str, str], tuple[Compared, ...]]:
    """Return (client, version) -> its recorded results, which all agree with the model (``rebalance conform``)."""
    found: Counter[tuple[str, str, str]] = Counter()
    for one in vectors.values():
        for (client, part), number in one.pairs.items():
            language, _, release = client.partition(" ")
            what = STEPS if part == REBALANCE else STRATEGIES
            found[language, release or _version(language, what), what] += number
    every: dict[tuple[str, str], tuple[Compared, ...]] = {}
    for (client, version, what), number in sorted(found.items()):
        every[client, version] = (*every.get((client, version), ()), Compared(what, RECORDED, number))
    return every


def _version(client: str, what: str) -> str:
    """Return the version whose results were recorded, for files that name only the client.

    Allocation was recorded with the first version that was read, and single rebalances with the last one.
    """
    if client == "java":
        return RECORDED_AT
    return READ[client][0 if what == STRATEGIES else -1]


def _groups(results: Mapping[str, Released], groups: Mapping[str, Pinned]) -> Sequence[Group]:
    """Return all recorded scenarios, each once."""
    measured = {
        (one.shipped or f"{release}/{one.name}/{one.servers}"): Group(
            one.name,
            (release,),
            one.servers,
            one.accepted,
            one.steps,
            one.unexplained,
            one.reason,
            one.shipped,
        )
        for release, found in results.items()
        for one in found.scenarios
    }
    for name, evidence in groups.items():
        folder, _, scenario = name.partition("/")
        if name in measured:
            measured[name] = replace(measured[name], clients=evidence.releases)
            continue
        accepted = bool(evidence.accepted) and not evidence.broken
        measured[name] = Group(scenario, evidence.releases, folder.removeprefix("java-"), accepted, shipped=name)
    return list(measured.values())


def lacking(row: Row) -> Iterator[str]:
    """Yield what a row states without evidence, one sentence each; nothing for a right row."""
    for one in row.compared:
        if one.calls < 1 or not 0 <= one.differ <= one.calls:
            yield f"{row.name}: {one.differ} of {one.calls} compared calls of {one.origin} differ, which cannot be"
        digest = 64 if row.client == "java" else 0
        if one.origin != RECORDED and not (len(one.digest) == digest and row.version in one.origin):
            yield f"{row.name}: {one.origin} is no artifact of {row.version} with a digest"
    for group in row.recorded:
        if not (group.events or (group.events is None and group.shipped)):
            yield f"{row.name}: the recording {group.name} has no events"
        if group.shipped and not (FOLDER / group.shipped / "driver.jsonl.gz").is_file():
            yield f"{row.name}: there is no recording {group.shipped} in this package"
        if (group.accepted and not group.unexplained) == bool(group.reason):
            yield f"{row.name}: the recording {group.name} has a wrong reason: {group.reason!r}"
    if row.recorded and row.version not in PUBLISHED:
        yield f"{row.name}: a group of an unpublished release was recorded"
    if not (row.read or _represented(row)):
        yield f"{row.name}: neither read, nor represented by another release"
    if row.reason and any(one.servers == row.version and not one.shipped for one in row.recorded):
        yield f"{row.name}: recorded, although Maven's repository lacks jars"


# The answer of ``rebalance list --releases``: what was read, compared and recorded of each release.

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""
COLUMNS = ("release", "source", "strategies", "steps", "groups", "model")
"""Headings of the table."""
NONE = "-"


def told(table: Sequence[Row], *, everything: bool = False) -> Iterator[str]:
    """Yield the lines of the answer; ``everything``: with all sources, artifacts and recordings."""
    lines = aligned([COLUMNS, *map(cells, table)])
    yield next(lines)
    for row, line in zip(table, lines, strict=True):
        yield line
        if everything:
            yield from (f"  {detail}" for detail in _details(row))
    yield ""
    yield from legend(table)
    if not everything:
        yield "`--all` lists sources, artifacts and recordings."


def cells(row: Row) -> tuple[str, ...]:
    """Return the cells of a release's line in the table."""
    accepted = sum(one.accepted for one in row.recorded)
    groups = f"{accepted} of {len(row.recorded)}" if row.recorded else NONE
    return (row.name, _read(row), _calls(row, STRATEGIES), _calls(row, STEPS), groups, row.model)


def _read(row: Row) -> str:
    if row.read and row.broker:
        return "both"
    return "client" if row.read else "broker" if row.broker else NONE


def _calls(row: Row, what: str) -> str:
    calls, differ = row.calls(what)
    return f"{differ:,} differ" if differ else f"{calls:,}" if calls else NONE


def legend(table: Sequence[Row]) -> Iterator[str]:
    """Yield the meanings of the columns, and the newest versions."""
    yield "source: the source that was read, of the client, the broker or both."
    yield "strategies, steps: calls of the release's own code. All agree with the model, unless some differ."
    yield "groups: recorded scenarios with this release that the model accepts, of all that were recorded."
    yield "model: releases with the same model of a rebalance. `as 5.3.3`: its rebalance was not read."
    known = ", ".join(f"{LANGUAGES[one.client]} {one.version}" for one in NEWEST if one.client in LANGUAGES)
    yield f"Newest versions on {CHECKED}: {known}."
    if any(row.reason for row in table):
        yield "A release without groups can lack jars in the Maven repository that was used."


def _details(row: Row) -> Iterator[str]:
    for part, told in (("client", row.read), ("broker", row.broker)):
        if told:
            yield f"{part}: {source(told)}"
    yield from map(compared, row.compared)
    yield from map(group, row.recorded)
    if row.reason:
        yield row.reason


def source(read: Source) -> str:
    """Return a place where source was read, with its address."""
    return f"{read.where}, {read.address}" if read.address else read.where


def compared(one: Compared) -> str:
    """Return compared calls: ``strategies of rocketmq-client-5.5.0.jar: 107,665 calls, 0 differ``."""
    return f"{one.what} of {one.origin}: {count(one.calls, 'call')}, {one.differ:,} differ"


def group(one: Group) -> str:
    """Return a recorded scenario with its verdict."""
    verdict = "accepted" if one.accepted else "not accepted"
    problems = "" if one.unexplained is None else f", {one.unexplained:,} unexplained"
    place = f" ({one.shipped})" if one.shipped else ""
    why = f": {one.reason}" if one.reason else ""
    of = f"clients {listing(one.clients)}, servers {one.servers}"
    events = "" if one.events is None else f"{count(one.events, 'event')}, "
    return f"group {one.name}{place}, {of}: {events}{verdict}{problems}{why}"


def newest() -> Iterator[tuple[str, str, str]]:
    """Yield (client or broker, newest version, place that names it)."""
    for one in NEWEST:
        yield LANGUAGES.get(one.client, f"{one.client.capitalize()}"), one.version, one.where


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("releases")


def document(table: Sequence[Row]) -> dict[str, Any]:
    """Return the answer as JSON."""
    return {
        "format": FORMAT,
        "newest": [{**vars(one), "checked": CHECKED} for one in NEWEST],
        "releases": [_row(row) for row in table],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "client": row.client,
        "version": row.version,
        "read": {"client": _source(row.read), "broker": _source(row.broker)},
        "model": row.model,
        "compared": [vars(one) for one in row.compared],
        "recorded": [{**vars(one), "clients": list(one.clients)} for one in row.recorded],
        "reason": row.reason,
    }


def _source(read: Source | None) -> dict[str, Any] | None:
    return vars(read) if read else None
