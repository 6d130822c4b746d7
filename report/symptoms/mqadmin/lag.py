"""Find what tables of a group's progress show: queues that stand still, have no client, or lag, and their extent."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median

from rebalance_proofs.recorded.knowledge.pasted_texts import note, word
from rebalance_proofs.report.symptoms.mqadmin.members import Entry, Member
from rebalance_proofs.report.symptoms.mqadmin.progress import (
    LATE,
    NOBODY,
    Progress,
    Queue,
    QueueProgress,
    Shown,
    clauses,
    long,
    queues_named,
    shown,
)

VERY_LATE = timedelta(minutes=30)
"""A queue with so few waiting messages counts as late only after this time."""
MANY = 1_000
"""A lag of all queues together from which it counts although all queues lag alike."""
FAR = 10
"""A queue without a time counts as standing still if its lag is this many times that of the others."""
MOST_OF = 0.8
"""Share of the lag from which one client or queue has most of it."""
Rows = Sequence[QueueProgress]


@dataclass
class Lag:
    """Observations in tables of one group, and remarks about them."""

    shown: list[Shown] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences about rows that indicate no cause."""
    checks: list[str] = field(default_factory=list)
    """What was checked and found right."""
    asks: list[str] = field(default_factory=list)
    """What the tables do not show, with the command that shows it."""


def lag(tables: Sequence[Progress]) -> Lag:
    """Return what successive tables of one group show."""
    found = Lag()
    last, before = tables[-1], tables[0] if len(tables) > 1 else None
    group = next((one.group for one in reversed(tables) if one.group), "GROUP")
    own = [row for row in last.rows if not row.retries]
    moved = _Moved(before, last)
    found.shown += moved.back()
    idle = _unowned(found, last, own)
    still = _still(found, last, [row for row in own if row.queue not in idle], moved)
    if not still:
        _slow(found, last, own, moved)
    _ahead(found, own)
    uneven = list(_uneven(own, last.ids))
    found.shown += uneven
    _notes(found, last, own, group)
    _checks(found, last, own, moved, uneven)
    if before is None:
        found.asks.append(note("one-table"))
    for one in tables:
        if one.cut:
            found.notes.append(note("cut", why=one.cut))
        elif not one.whole and not one.ids:
            found.notes.append(note("no-total"))
    return found


class _Moved:
    """How the offsets of queues in the last table differ from those in the first."""

    def __init__(self, before: Progress | None, last: Progress) -> None:
        self.pairs = rows_of_both(before, last) if before else []

    def back(self) -> Iterator[Shown]:
        """Yield the queues whose offset is lower in the last table."""
        pairs = [(old.consumer_offset - new.consumer_offset, new) for old, new in self.pairs]
        went = [(by, row) for by, row in pairs if by > 0]
        if went:
            by = max(by for by, _ in went)
            yield shown(
                "went-back" if by > LITTLE else "went-back-little", [row.queue for _, row in went], by=f"{by:,}"
            )

    def stands(self) -> set[Queue]:
        """Return queues with messages whose offset is the same in both tables."""
        return {new.queue for old, new in self.pairs if stands(old, new)}

    def moves(self) -> set[Queue]:
        """Return queues whose offset is higher in the last table."""
        return {new.queue for old, new in self.pairs if new.consumer_offset > old.consumer_offset}

    @property
    def grew(self) -> int:
        """Number of messages by which the lag grew."""
        return sum(new.diff - old.diff for old, new in self.pairs)


def _named(row: QueueProgress) -> bool:
    return row.client not in (None, NOBODY)


def _newest(rows: Rows) -> datetime | None:
    return max((row.last for row in rows if row.last), default=None)


def _late(row: QueueProgress, newest: datetime | None) -> bool:
    """Return True if messages wait in the queue, and its last one was consumed long before those of other queues."""
    if row.diff <= 0 or newest is None:
        return False
    if row.last is None:
        return row.consumer_offset == 0
    # In a quiet topic, the message before the few that have just arrived can be old.
    return newest - row.last > (LATE if row.diff > LITTLE else VERY_LATE) and row.diff > 1


def _behind(rows: Rows) -> str:
    return f"{sum(row.diff for row in rows):,}"


def _unowned(found: Lag, table: Progress, own: Rows) -> set[Queue]:
    """Add the queues without a client; return all of them, unless no row of the table has a client."""
    if not table.with_clients:
        return set()
    newest = _newest(own)
    nobody = [row for row in own if row.client == NOBODY]
    waiting = [row for row in nobody if row.diff > 0]
    recent = [row for row in waiting if row.last and newest and newest - row.last <= LATE and row.diff <= LITTLE]
    if recent:
        found.notes.append(note("unowned-consumed", queues=queues_named(row.queue for row in recent)))
    idle = [row for row in nobody if row.diff <= 0 and row.broker_offset]
    if idle:
        found.notes.append(note("unowned-idle", queues=queues_named(row.queue for row in idle)))
    rest = [row for row in waiting if row not in recent]
    for topic in dict.fromkeys(row.queue[0] for row in rest):
        here = [row for row in rest if row.queue[0] == topic]
        every = [row for row in own if row.queue[0] == topic]
        others = {row.queue[1] for row in every if _named(row)}
        brokers = {row.queue[1] for row in here}
        queues = [row.queue for row in here]
        if not others:
            found.shown.append(shown("unowned-topic", queues, topic=topic, behind=_behind(here)))
        elif len(brokers) == 1 and not brokers & others:
            found.shown.append(shown("unowned-broker", queues, broker=here[0].queue[1], behind=_behind(here)))
        else:
            late = _lateness(here, newest)
            found.shown.append(shown("unowned", queues, waits=clauses(word("waits", behind=_behind(here)), late)))
    return {row.queue for row in nobody}


def _lateness(rows: Rows, newest: datetime | None) -> str:
    """Return how long before the newest message the rows' last messages were consumed, in words; "" if unknown."""
    times = [row.last for row in rows if row.last]
    if newest is None or not times:
        return word("never") if all(row.consumer_offset == 0 for row in rows) else ""
    return (
        word("late" if len(rows) == 1 else "late-many", long=long(newest - max(times))) if newest > max(times) else ""
    )


def _still(found: Lag, table: Progress, own: Rows, moved: _Moved) -> bool:
    """Add the queues that stand still though they may have a client; return whether there are any."""
    newest = _newest(own)
    stands = moved.stands()
    waiting = [row for row in own if row.diff > 0]
    if moved.pairs:
        still = [row for row in waiting if row.queue in stands]
    elif newest:
        still = [row for row in waiting if _late(row, newest)]
    else:
        still = list(_far_behind(own))
    if moved.pairs and waiting and len(still) == len(waiting) == len([row for row in own if row.broker_offset]):
        found.shown.append(_all_stand(table, still, word("stood")))
        return True
    never = all(row.consumer_offset == 0 and row.last is None for row in waiting)
    stopped = not moved.pairs and table.tps == 0 and sum(row.diff for row in waiting) >= MANY and not never
    if stopped and not still:
        if len(waiting) * 2 > len([row for row in own if row.broker_offset]):
            found.shown.append(_all_stand(table, waiting, word("no-tps")))
            return True
        still = waiting
    if not still:
        return False
    others = [row for row in own if row not in still]
    late = _lateness(still, newest) if newest else word("far-behind")
    if stopped and not late:
        late = word("no-tps")
    late = clauses(word("stood"), late) if moved.pairs else late or word("never")
    values = {"behind": _behind(still), "late": late}
    queues = [row.queue for row in still]
    inflight = [row.inflight for row in still if row.inflight is not None]
    pulled, nothing = sum(one for one in inflight if one > 0), inflight and not any(inflight)
    clients, brokers = {row.client for row in still}, {row.queue[1] for row in still}
    client, broker = still[0].client or "", still[0].queue[1]
    of_client = _named(still[0]) and len(clients) == 1 and len(still) > 1
    if of_client and others and not any(row.client == client for row in others if row.broker_offset):
        kind = "client-not-pulling" if nothing else "client-stands"
        found.shown.append(shown(kind, queues, client=client, **values))
    elif (
        len(brokers) == 1
        and len(still) > 1
        and not (of_client and table.with_clients)
        and {row.queue[1] for row in others} - brokers
        and not any(row.queue[1] == broker for row in others if row.broker_offset)
        and not pulled
    ):
        found.shown.append(shown("broker-stands", queues, broker=broker, **values))
    elif pulled:
        found.shown.append(shown("stands-pulled", queues, inflight=f"{pulled:,}", **values))
    elif nothing and table.with_clients:
        found.shown.append(shown("stands-not-pulled", queues, **values))
    else:
        found.shown.append(shown("stands" if table.with_clients else "stands-unknown", queues, **values))
    return True


def _all_stand(table: Progress, rows: Rows, why: str) -> Shown:
    inflight = [row.inflight for row in rows if row.inflight is not None]
    pulled = sum(one for one in inflight if one > 0)
    kind = "all-stand" if table.with_clients else "all-stand-unknown"
    if pulled:
        kind = "all-stand-pulled"
    elif inflight and table.with_clients:
        kind = "all-stand-not-pulled"
    return shown(kind, (), why=why, behind=_behind(rows), many=len(rows), inflight=f"{pulled:,}")


def _far_behind(own: Rows) -> Iterator[QueueProgress]:
    """Yield rows of a table without times whose lag is far above that of the others."""
    usual = median(max(0, row.diff) for row in own) if len(own) > 1 else 0
    for row in own:
        if len(own) > 1 and row.diff > MANY and row.diff > FAR * (usual + 1):
            yield row


def _slow(found: Lag, table: Progress, own: Rows, moved: _Moved) -> None:
    """Add what a lag shows whose queues are consumed, or that all queues have."""
    total = sum(row.diff for row in own if row.diff > 0)
    waiting = [row for row in own if row.diff > 0]
    if total < MANY or all(row.consumer_offset == 0 and row.last is None for row in waiting):
        return
    by_client = Counter[str]()
    for row in waiting:
        if _named(row):
            by_client[row.client or ""] += row.diff
    usual = median(row.broker_offset for row in own)
    busy = [row for row in waiting if row.broker_offset > 2 * usual and row.diff > LITTLE]
    if busy and sum(row.diff for row in busy) >= MOST_OF * total and len(busy) * 2 < len(own):
        times = f"{max(row.broker_offset for row in busy) / usual:.0f}" if usual else ">2"
        found.shown.append(shown("queue-busy", [row.queue for row in busy], behind=_behind(busy), times=times))
        return
    clients = {row.client for row in own if _named(row)}
    most = by_client.most_common(1)
    if most and len(clients) > 1 and most[0][1] >= MOST_OF * total:
        rows = [row for row in waiting if row.client == most[0][0]]
        share = f"{most[0][1] * 100 // total} %"
        found.shown.append(
            shown("client-slow", [row.queue for row in rows], client=most[0][0], share=share, behind=_behind(rows))
        )
        return
    if moved.pairs and moved.grew > LITTLE:
        found.shown.append(shown("lag-grows", (), by=f"{moved.grew:,}"))
    elif len(waiting) * 2 > len(own):
        kind = "all-slow-moving" if table.tps else "all-slow"
        found.shown.append(shown(kind, (), many=len(waiting), behind=_behind(waiting), tps=f"{table.tps or 0:g}"))


def _ahead(found: Lag, own: Rows) -> None:
    ahead = [row for row in own if row.diff < 0]
    much = [row for row in ahead if row.diff < -LITTLE]
    if much:
        by = f"{max(-row.diff for row in much):,}"
        found.shown.append(shown("ahead", [row.queue for row in much], by=by))
    elif ahead:
        by = f"{max(-row.diff for row in ahead):,}"
        found.notes.append(note("ahead-little", queues=queues_named(row.queue for row in ahead), by=by))


def _uneven(own: Rows, ids: bool) -> Iterator[Shown]:
    held = Counter((row.client or "", row.queue[0]) for row in own if _named(row))
    clients = sorted({client for client, _ in held})
    if len(clients) < 2:
        return
    for topic in sorted({topic for _, topic in held}):
        numbers = {client: held.get((client, topic), 0) for client in clients}
        if max(numbers.values()) - min(numbers.values()) > 1:
            values = _extremes(numbers)
            yield shown("uneven" if ids else "uneven-addresses", (), topic=topic, **values)
            return
    totals = {client: sum(many for (name, _), many in held.items() if name == client) for client in clients}
    if max(totals.values()) - min(totals.values()) > 1:
        yield shown("uneven-total" if ids else "uneven-addresses", (), **_extremes(totals))


def _extremes(numbers: dict[str, int]) -> dict[str, object]:
    most, least = max(numbers, key=lambda one: numbers[one]), min(numbers, key=lambda one: numbers[one])
    return {"most": most, "many": numbers[most], "least": least, "few": numbers[least]}


def _notes(found: Lag, table: Progress, own: Rows, group: str) -> None:
    has_column = any(row.client is not None for row in table.rows)
    if not has_column:
        found.asks.append(note("no-client-column", group=group))
    elif not table.with_clients:
        kind = {None: "no-clients-maybe", False: "no-clients", True: "offline"}[table.asked_clients]
        found.notes.insert(0, note(kind, group=group))
    if table.tps and not any(one.kind.name.startswith(("stands", "all-")) for one in found.shown):
        found.notes.append(note("consumes", tps=f"{table.tps:g}"))
    waiting = [row for row in table.rows if row.retries and row.diff > 0]
    if sum(row.diff for row in waiting) > LITTLE:
        found.shown.append(shown("retries-wait", [row.queue for row in waiting], behind=_behind(waiting)))
    elif waiting:
        found.notes.append(note("retries", queues=queues_named(row.queue for row in waiting), behind=_behind(waiting)))
    if own and not any(row.broker_offset or row.consumer_offset for row in own):
        found.notes.append(note("empty"))
    never = [row for row in own if row.consumer_offset == 0 and row.last is None and row.broker_offset > 0]
    if never and len(never) == len([row for row in own if row.broker_offset]):
        found.notes.append(note("never-committed", queues=queues_named(row.queue for row in never), group=group))


def _checks(found: Lag, table: Progress, own: Rows, moved: _Moved, uneven: Sequence[Shown]) -> None:
    if table.with_clients and not any(row.client == NOBODY for row in own):
        found.checks.append(word("check-owners"))
    found.checks.append(word("check-lag", most=f"{max((row.diff for row in own), default=0):,}"))
    if not any(row.diff < 0 for row in own):
        found.checks.append(word("check-offsets"))
    if moved.pairs and not moved.stands():
        found.checks.append(word("check-moves"))
    if table.with_clients and not uneven:
        found.checks.append(word("check-shares"))
    moving = moved.moves()
    if moving and not table.with_clients:
        found.notes.append(note("moves", queues=queues_named(sorted(moving))))


# Compare output of ``mqadmin`` about one group, or one client, that was taken at two times.


LITTLE = 32
"""A lag or a difference up to this is one pull's messages (pullBatchSize), and no sign of a fault."""
STARTED = "PROP_CONSUMER_START_TIMESTAMP"
"""Property of a report: the time at which its consumer started, so that two processes with one id differ."""
APART = timedelta(minutes=1)
"""Shortest time between two reports in which a standing offset is unusual: a client commits every 5 s."""


def rows_of_both(first: Progress, last: Progress) -> list[tuple[QueueProgress, QueueProgress]]:
    """Return the rows of each queue that both tables have."""
    before = {row.queue: row for row in first.rows}
    return [(before[row.queue], row) for row in last.rows if row.queue in before]


def stands(old: QueueProgress, new: QueueProgress) -> bool:
    """Return True if messages wait at the second time, and the offset is that of the first time.

    They waited at the first time, too, or more than one pull's messages have come since then.
    """
    came = new.broker_offset - old.broker_offset
    return new.consumer_offset == old.consumer_offset and new.diff > 0 and (old.diff > 0 or came > LITTLE)


def moved_apart(first: Progress, last: Progress) -> timedelta:
    """Return the time between two tables, as far as the times of consumed messages show it.

    They show it in queues that had no lag and got many messages. Messages of other queues can have waited long, or
    have come after a pause.
    """
    begin = max((row.last for row in first.rows if row.last), default=None)
    ends = [
        new.last
        for old, new in rows_of_both(first, last)
        if new.last and old.diff <= 0 and new.consumer_offset - old.consumer_offset > LITTLE
    ]
    return max(max(ends) - begin, timedelta()) if begin and ends else timedelta()


def latest(members: Sequence[Member]) -> tuple[list[Member], list[list[Member]]]:
    """Return the last report of each process, and all reports of those with several, by time.

    A report without the start of its consumer is of a process of its own. Equal reports, of a file that was given
    twice, count once.
    """
    processes: dict[object, list[Member]] = {}
    for place, one in enumerate(members):
        if one in members[:place]:
            continue
        started = one.properties.get(STARTED, "")
        key = (one.client_id, one.group, started) if one.client_id and started else place
        processes.setdefault(key, []).append(one)
    ordered = [sorted(own, key=lambda one: taken(one) or datetime.min) for own in processes.values()]
    return [own[-1] for own in ordered], [own for own in ordered if len(own) > 1]


def standing(reports: Sequence[Member]) -> list[Queue]:
    """Return the queues whose offset is the same in all reports of a process, although messages are cached in all."""
    if apart(reports) < APART:
        return []
    *before, last = reports
    entries = [{entry.queue: entry for entry in one.entries} for one in before]
    return [
        entry.queue
        for entry in last.entries
        if not entry.dropped and all((old := one.get(entry.queue)) and _stands(old, entry) for one in entries)
    ]


def _stands(old: Entry, new: Entry) -> bool:
    return new.commit is not None and old.commit == new.commit and old.cached > 0 < new.cached


def apart(reports: Sequence[Member]) -> timedelta:
    """Return the time between the first and the last report, as far as their pulls show it."""
    begin, end = taken(reports[0]), taken(reports[-1])
    return end - begin if begin and end else timedelta()


def taken(one: Member) -> datetime | None:
    """Return a time shortly before the report was made: its last pull or consumed message."""
    return max((at for entry in one.entries for at in (entry.pulled, entry.consumed) if at), default=None)
