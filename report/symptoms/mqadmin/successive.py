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
