"""Findings about stalled queues from mqadmin's output that was taken at several times."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Phrase, both, phrase
from rebalance_proofs.recorded.audit.outcome import Audited, GroupTold
from rebalance_proofs.report.audit.answer import Printed
from rebalance_proofs.report.symptoms.mqadmin.progress import Progress, Queue
from rebalance_proofs.report.symptoms.mqadmin.read import Printed as Parsed
from rebalance_proofs.report.symptoms.mqadmin.successive import (
    LITTLE,
    apart,
    latest,
    moved_apart,
    rows_of_both,
    standing,
    stands,
)

LONG = timedelta(minutes=5)
"""Time from which a standing offset is certainly unusual, if messages wait and other queues of the topic move."""
CAUSES = ("first-message-slow", "listener-blocks")
NOT_PULLED = ("pull-request-lost", "suspended")
"""Causes of a queue of which no message is in flight."""


def stalled(parsed: Parsed, group: str) -> Iterator[Finding]:
    """Yield findings about queues whose offset is the same at all times, although messages wait."""
    by_group: dict[str, list[Progress]] = {}
    for table in parsed.tables:
        own = by_group.setdefault(table.group, [])
        if table not in own:  # the same file was given twice
            own.append(table)
    for name, tables in by_group.items():
        if len(tables) > 1:
            yield from _of_tables(tables, name or group)
    for reports in latest(parsed.members)[1]:
        last, time = reports[-1], apart(reports)
        commits = {entry.queue: entry.commit for entry in last.entries}
        words = phrase(
            ", while messages were cached, in two reports {seconds} s apart", seconds=round(time.total_seconds())
        )
        for queue in standing(reports):
            offset = commits[queue] or 0
            yield _finding(last.group or group, queue, offset, words, certain=time >= LONG, who=last.client_id)


def _of_tables(tables: Sequence[Progress], group: str) -> Iterator[Finding]:
    first, *between, last = tables
    pairs = [(old, new) for old, new in rows_of_both(first, last) if not new.retries]
    moving = {new.queue[0] for old, new in pairs if new.consumer_offset > old.consumer_offset}
    moved = {
        new.queue
        for one in between
        for old, new in rows_of_both(first, one)
        if new.consumer_offset != old.consumer_offset
    }
    time = moved_apart(first, last)
    for old, new in pairs:
        if new.queue in moved or not stands(old, new):
            continue
        came = new.broker_offset - old.broker_offset
        words = (
            phrase(
                " in two tables, while the broker's offset rose from {low} to {high}",
                low=old.broker_offset,
                high=new.broker_offset,
            )
            if came > 0
            else phrase(" in two tables, while messages waited")
        )
        certain = time >= LONG and came > LITTLE and new.queue[0] in moving
        causes = NOT_PULLED if new.inflight == 0 else CAUSES
        yield _finding(group, new.queue, new.consumer_offset, words, certain=certain, causes=causes)


def _finding(
    group: str,
    queue: Queue,
    offset: int,
    words: Phrase,
    *,
    certain: bool,
    who: str = "",
    causes: tuple[str, ...] = CAUSES,
) -> Finding:
    detail = [phrase("its committed offset stayed at {offset}", offset=offset), words]
    if not certain:
        detail.append(phrase("; how long the queue stood still is unknown, or short"))
    return Finding(
        What.STALLED,
        Level.SEEN if certain else Level.POSSIBLE,
        group,
        queue[0],
        (who,) if who else (),
        (Interval(queue, None, None),),
        both(*detail),
        causes,
        (),
        {"offset": offset},
    )


def add_stalled(audited: Audited, printed: Sequence[Printed], group: str = "", topic: str = "") -> None:
    """Add the findings of mqadmin's output to those of their groups' logs.

    ``group``, ``topic``: the only ones that the user asks about. Output that names no group can be of that group.
    """
    for one in printed:
        for found in one.stalled:
            if (found.group and group and found.group != group) or (topic and found.topic != topic):
                continue
            own = next((each for each in audited.groups if each.name == found.group), None)
            if own is None:
                own = GroupTold(found.group, [], [], [], [], [], [], 0, 0)
                audited.groups.append(own)
            own.findings.append(found)
