"""The answer of ``rebalance list --releases``: what was read, compared and recorded of each release."""

from collections.abc import Iterator, Sequence
from typing import Any

from rebalance_proofs.model.releases import LANGUAGES
from rebalance_proofs.model.sources import CHECKED, NEWEST, Source
from rebalance_proofs.report.released.table import STEPS, STRATEGIES, Compared, Group, Row
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.wrapping import aligned

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
    for part, read in (("client", row.read), ("broker", row.broker)):
        if read:
            yield f"{part}: {source(read)}"
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
