"""Compare output of ``mqadmin`` about one group, or one client, that was taken at two times."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from rebalance_proofs.report.symptoms.mqadmin.members import Entry, Member
from rebalance_proofs.report.symptoms.mqadmin.progress import Progress, Queue, QueueProgress

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
    """Return the time between two tables, as far as the times of consumed messages of moving queues show it."""
    times = [
        new.last - old.last
        for old, new in rows_of_both(first, last)
        if new.last and old.last and new.consumer_offset > old.consumer_offset
    ]
    return max(times, default=timedelta())


def latest(members: Sequence[Member]) -> tuple[list[Member], list[tuple[Member, Member]]]:
    """Return the last report of each process, and the first and last report of those with several.

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
    ordered = [sorted(own, key=lambda one: _taken(one) or datetime.min) for own in processes.values()]
    return [own[-1] for own in ordered], [(own[0], own[-1]) for own in ordered if len(own) > 1]


def standing(first: Member, last: Member) -> list[Queue]:
    """Return the queues whose offset is the same in two reports of a process, although messages are cached in both."""
    if apart(first, last) < APART:
        return []
    before = {entry.queue: entry for entry in first.entries}
    return [
        entry.queue
        for entry in last.entries
        if not entry.dropped and (old := before.get(entry.queue)) is not None and _stands(old, entry)
    ]


def _stands(old: Entry, new: Entry) -> bool:
    return new.commit is not None and old.commit == new.commit and old.cached > 0 < new.cached


def apart(first: Member, last: Member) -> timedelta:
    """Return the time between two reports, as far as their pulls show it."""
    begin, end = _taken(first), _taken(last)
    return end - begin if begin and end else timedelta()


def _taken(one: Member) -> datetime | None:
    """Return a time shortly before the report was made: its last pull or consumed message."""
    return max((at for entry in one.entries for at in (entry.pulled, entry.consumed) if at), default=None)
