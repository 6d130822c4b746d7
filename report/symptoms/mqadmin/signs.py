"""Find signs of problems in the output of ``mqadmin``, which ``rebalance audit`` judges."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from rebalance_proofs.report.symptoms.cause import Sign
from rebalance_proofs.report.symptoms.mqadmin.lag import latest, rows_of_both, standing, stands, taken
from rebalance_proofs.report.symptoms.mqadmin.members import Member, Status
from rebalance_proofs.report.symptoms.mqadmin.progress import NOBODY, RETRY, Progress, Queue
from rebalance_proofs.report.symptoms.mqadmin.read import Printed
from rebalance_proofs.report.text.english import count, listing

LATE = timedelta(minutes=2)
"""A queue counts as late if its last message was stored this much before the newest one of all queues.

After the same time without a pull, a process queue's pull counts as expired.
"""
BLOCKED = timedelta(minutes=1)
"""The limit in ConsumerRunningInfo.analyzeProcessQueue from which a process queue counts as blocked."""
MOST = 5
"""Largest number of queues that a sign lists by name; further queues are only counted."""


@dataclass(frozen=True)
class Seen:
    """A sign, and the place where it was observed."""

    sign: Sign
    words: str


def seen(printed: Printed) -> tuple[Seen, ...]:
    """Return all signs of problems in the output."""
    return (
        *_of_tables(printed.tables),
        *(one for found in printed.lists for one in _of_list(found)),
        *_of_members(printed.members),
    )


def _named(queues: Iterable[Queue]) -> str:
    told = [f"{topic} {broker} {number}" for topic, broker, number in queues]
    more = [f"{len(told) - MOST} more"] if len(told) > MOST else []
    return listing((*told[:MOST], *more))


def _of_tables(tables: Sequence[Progress]) -> Iterator[Seen]:
    if not tables:
        return
    last = tables[-1]
    nobody = [row.queue for row in last.rows if row.client == NOBODY]
    if nobody and last.with_clients:  # Without -s true, mqadmin names no client at all.
        yield Seen(Sign.UNOWNED, f"{_named(nobody)}: no client")
    ahead = [row.queue for row in last.rows if row.diff < 0]
    if ahead:
        yield Seen(Sign.SKIPPED_AHEAD, f"{_named(ahead)}: the consumer offset is beyond the broker's")
    yield from _behind(last)
    rows = [row for row in last.rows if row.client not in (None, NOBODY) and not row.retries]
    held: Mapping[tuple[str | None, str], int] = Counter((row.client, row.queue[0]) for row in rows)
    uneven = list(_uneven(held))
    if uneven:
        yield Seen(Sign.ONE_ADDRESS, f"{uneven[0].words}; the table names addresses, and members on one host share one")
    yield from uneven
    if len(tables) > 1:
        yield from _between(tables[0], last)


def _behind(table: Progress) -> Iterator[Seen]:
    newest = max((row.last for row in table.rows if row.last), default=None)
    # A queue without a client waits anyway, so the wait is not a further sign.
    had = [row for row in table.rows if row.client != NOBODY and row.diff > 0]
    late = [row.queue for row in had if newest and row.last and newest - row.last > LATE]
    if late:
        yield Seen(Sign.BEHIND, f"{_named(late)}: messages wait, and LastTime is minutes before the newest, {newest}")


def _between(first: Progress, last: Progress) -> Iterator[Seen]:
    pairs = rows_of_both(first, last)
    had = [(old, new) for old, new in pairs if new.client != NOBODY]
    back = [new.queue for old, new in pairs if new.consumer_offset < old.consumer_offset]
    if back:
        yield Seen(Sign.WENT_BACK, f"{_named(back)}: the consumer offset is lower in the last table than in the first")
    still = [new.queue for old, new in had if stands(old, new)]
    if still:
        yield Seen(Sign.STANDS, f"{_named(still)}: messages wait, and the consumer offset is the same in both tables")


def _uneven(held: Mapping[tuple[str | None, str], int]) -> Iterator[Seen]:
    """Yield signs of unequal shares. ``held`` counts queues by (client, topic), without clients that have no queue."""
    clients = sorted({client for client, _ in held if client})
    if len(clients) < 2:
        return
    for topic in sorted({topic for _, topic in held}):
        numbers = {client: held.get((client, topic), 0) for client in clients}
        if max(numbers.values()) - min(numbers.values()) > 1:
            yield Seen(Sign.UNEVEN_TOPIC, f"in {topic}, {_numbers(numbers)}")
            return
    totals = {client: sum(many for (name, _), many in held.items() if name == client) for client in clients}
    if max(totals.values()) - min(totals.values()) > 1:
        yield Seen(Sign.UNEVEN, _numbers(totals))


def _numbers(numbers: Mapping[str, int]) -> str:
    most, least = max(numbers, key=lambda one: numbers[one]), min(numbers, key=lambda one: numbers[one])
    return f"{most} has {count(numbers[most], 'queue')}, {least} has {count(numbers[least], 'queue')}"


def _of_list(found: Status) -> Iterator[Seen]:
    ids = Counter(client for client, _ in found.members)
    twice = [client for client, many in ids.items() if many > 1]
    if twice:
        yield Seen(Sign.SAME_ID, f"{listing(twice)}: listed more than once")
    yield from _versions({version for _, version in found.members})
    if found.different:
        yield Seen(Sign.SUBSCRIPTIONS, "mqadmin reports it (for members that started more than two minutes ago)")
    for sign, queues, said in (
        (Sign.BLOCKED, found.blocked, "can't consume for a while"),
        (Sign.NOT_LOCKED, found.not_locked, "can't lock for a while"),
        (Sign.UNLOCK_FAILED, found.unlock_failed, "unlock still failed"),
    ):
        if queues:
            yield Seen(sign, f"{_named(queues)}: {said}")


def _versions(versions: Iterable[str]) -> Iterator[Seen]:
    different = sorted(filter(None, versions))
    if len(different) > 1:
        yield Seen(Sign.VERSIONS, listing(different))


def _of_members(members: Sequence[Member]) -> Iterator[Seen]:
    members, successive = latest(members)
    for reports in successive:
        if still := standing(reports):
            said = "messages are cached, and the committed offset is the same in two reports"
            yield Seen(Sign.STANDS, f"{reports[-1].client_id}, {_named(still)}: {said}")
    ids = Counter(one.client_id for one in members if one.client_id)
    twice = [client for client, many in ids.items() if many > 1]
    if twice:
        yield Seen(Sign.SAME_ID, f"{listing(twice)}: more than one member has it")
    names = [_name(place, one, ids) for place, one in enumerate(members, 1)]
    for name, one in zip(names, members, strict=True):
        yield from _of_member(name, one)
    if len(members) < 2:
        return
    if len({one.subscriptions for one in members}) > 1:
        for name, one in zip(names, members, strict=True):
            told = listing(f"{topic} ({expression})" for topic, expression in one.subscriptions) or "nothing"
            yield Seen(Sign.SUBSCRIPTIONS, f"{name} subscribes to {told}")
    yield from _versions({one.version for one in members})
    strategies = sorted({one.strategy for one in members if one.strategy})
    if len(strategies) > 1:
        yield Seen(Sign.STRATEGIES, listing(strategies))
    if any(one.broadcasting for one in members):
        return
    owners: dict[Queue, list[str]] = {}
    for name, one in zip(names, members, strict=True):
        for entry in one.entries:
            if not entry.dropped:
                owners.setdefault(entry.queue, []).append(name)
    for queue, named in owners.items():
        if len(named) > 1:
            yield Seen(Sign.SHARED, f"{_named([queue])}: {listing(named)}")
    held = Counter((name, queue[0]) for queue, named in owners.items() for name in named if RETRY not in queue[0])
    topics = {topic for _, topic in held}
    # Members without a queue count here, because they are known to exist.
    yield from _uneven({(name, topic): held[name, topic] for name in names for topic in topics})


def _name(place: int, one: Member, ids: Mapping[str, int]) -> str:
    return one.client_id if ids.get(one.client_id) == 1 else f"member {place} {one.client_id}".rstrip()


def _of_member(name: str, one: Member) -> Iterator[Seen]:
    topics = [topic for topic, _ in one.subscriptions if not topic.startswith(RETRY)]
    if not topics:
        yield Seen(Sign.NO_SUBSCRIPTION, f"{name} subscribes to nothing")
    if topics and not [entry for entry in one.entries if not entry.queue[0].startswith(RETRY)]:
        yield Seen(Sign.IDLE, f"{name} has no queue")
    latest = taken(one)
    live = [entry for entry in one.entries if not entry.dropped]
    for sign, entries, said in (
        (Sign.DROPPED, [entry for entry in one.entries if entry.dropped], "marked as dropped (droped=true)"),
        (
            Sign.UNLOCK_FAILED,
            [entry for entry in one.entries if entry.dropped and entry.unlock_tries],
            "its listener ran when the queue was taken away (tryUnlockTimes)",
        ),
        (
            Sign.NOT_LOCKED,
            [entry for entry in live if one.orderly and not one.broadcasting and not entry.locked],
            "ordered, and locked=false",
        ),
        (
            Sign.NOT_PULLED,
            [entry for entry in one.entries if latest and entry.pulled and latest - entry.pulled > LATE],
            f"lastPullTimestamp is minutes older than the newest time of the member, {latest}",
        ),
        (
            Sign.BLOCKED,
            [
                entry
                for entry in live
                if latest and entry.cached and entry.consumed and latest - entry.consumed > BLOCKED
            ],
            f"messages are cached, and lastConsumeTimestamp is older than {latest} by more than a minute",
        ),
    ):
        if entries:
            yield Seen(sign, f"{name}, {_named(entry.queue for entry in entries)}: {said}")
