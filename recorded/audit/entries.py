"""Queue ownership from log lines: when a consumer had a queue in its process queue table.

Each such interval is called an entry. Log lines open, confirm or end it.
"""

from rebalance_proofs.recorded.audit.log import RECENT, SAME_REBALANCE, Entry, Log
from rebalance_proofs.recorded.audit.told import Commits, Member, Share, Span, Where
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reader import PAUSE

INTERVAL = 5_000
"""RocketMQ's default of persistConsumerOffsetInterval, in ms."""
SLACK = PAUSE - INTERVAL
LATE = 1_000
"""Longest time in ms by which a commit can follow another thread's removal of the queue."""


def added(log: Log, key: Entry, fact: Fact, where: Where, member: Member) -> None:
    """Open an interval of ownership for a line about an added queue.

    Do nothing if the line repeats the start of an interval that has just begun.
    """
    assert fact.at is not None
    span = log.open.get(key)
    if span and fact.more == FIRST_PULL:
        return
    if span and fact.more == REMOVES_SILENTLY and not span.begins and fact.at - span.begin <= SAME_REBALANCE:
        # Such a client logs the rebalance result before the lines about added queues.
        span.begin = span.earliest = fact.at
        span.begins, span.first, span.sure = True, where, max(span.sure, fact.at)
        return
    close(log, key, None, where)
    log.open[key] = Span(member, key[2], fact.at, fact.at, True, False, where, where, fact.at, fact.at)


def unlogged(
    log: Log, group: str, member: Member, queue: Queue, seen: tuple[int, int], lines: tuple[Where, Where]
) -> Span:
    """Open an interval of ownership whose start was not logged, and return it.

    ``seen``: first and last time at which the consumer certainly owned the queue.
    """
    at, until = seen
    ends = [one.end for one in log.closed.get(queue, [])[-RECENT:] if one.end <= at]
    earliest = max([min(log.heard[0][0], at) if log.heard else at, *ends])
    span = log.open[group, member[0], queue] = Span(member, queue, at, until, False, False, *lines, earliest, until)
    return span


def committed(log: Log, share: Share, fact: Fact, where: Where, member: Member) -> None:
    """Record commits; they confirm that the consumer owned the queue at that time."""
    assert fact.at is not None
    assert fact.queue
    until = fact.at if fact.until is None else fact.until
    last = (where[0], fact.last_line or where[1])
    first_offset, last_offset, *backs = fact.numbers
    share.commits.append(
        Commits(
            member,
            fact.queue,
            fact.at,
            until,
            first_offset,
            last_offset,
            tuple(
                (backs[at], backs[at + 1], backs[at + 2], (where[0], backs[at + 3])) for at in range(0, len(backs), 4)
            ),
            where,
            last,
            fact.more == "given up",
            tuple(
                (offset, begin, (where[0], line), end, (where[0], last_line))
                for offset, begin, line, end, last_line in zip(*[iter(fact.stills)] * 5, strict=True)
            )
            or ((last_offset, fact.at, where, until, last),),
        )
    )
    key = (share.group, member[0], fact.queue)
    span = log.open.get(key)
    if span is None and _late(log, key, fact.at, until):
        return
    if span is None:
        span = unlogged(log, share.group, member, fact.queue, (fact.at, until), (where, last))
    span.sure, span.last, span.committed = max(span.sure, until), last, True
    log.committed[share.group, member[0]] = max(until, log.committed.get((share.group, member[0]), 0))


def _late(log: Log, key: Entry, at: int, until: int) -> bool:
    """Return True if a commit belongs to a queue that another thread has just removed."""
    before = [one for one in log.closed.get(key[2], [])[-RECENT:] if one.member[0] == key[1] and one.ends]
    return until - at <= LATE and any(0 <= at - one.end <= LATE for one in before)


def by_result(log: Log, share: Share, fact: Fact, where: Where, member: Member) -> None:
    """Open or confirm ownership of the queues in a rebalance result.

    Queues whose lock or start offset was denied are left out.
    """
    assert fact.at is not None
    named = member[0]
    for queue in fact.queues:
        key = (share.group, named, queue)
        denied = log.denied.get((named, queue))
        if key in log.open:
            log.open[key].sure = max(log.open[key].sure, fact.at)
        elif denied is None or fact.at - denied > SAME_REBALANCE:
            unlogged(log, share.group, member, queue, (fact.at, fact.at), (where, where))
    if share.group in log.adds:
        return
    # A log without lines about single queues: the result is the whole table.
    gone = [
        key
        for key in log.open
        if key[0] == share.group and key[1] == named and key[2][0] == fact.topic and key[2] not in fact.queues
    ]
    for key in gone:
        close(log, key, fact.at, where)


def close(log: Log, key: Entry, at: int | None, where: Where) -> None:
    """End an interval of ownership at a known time, or when it was last confirmed."""
    span = log.open.pop(key, None)
    if span is None:
        return
    if at is None:
        span.end = span.sure
    else:
        span.end = span.sure = max(at, span.begin)
        span.ends, span.last = True, where
    log.closed.setdefault(key[2], []).append(span)
    log.group_of[id(span)] = key[0]
    log.share(key[0]).spans.append(span)


def just_closed(log: Log, key: Entry, at: int) -> bool:
    """Return True if the client's ownership of the queue has just ended, so that another line says the same."""
    own = [one for one in log.closed.get(key[2], [])[-RECENT:] if one.member[0] == key[1] and one.ends]
    return any(0 <= at - one.end <= LATE for one in own)


def forgot(log: Log, key: Entry, at: int, where: Where) -> None:
    """End an interval of ownership because the client forgot the queue's offset.

    A client without a line about removed queues does so when it gives the queue up, just after a last commit; and
    again before it takes the queue back.
    """
    span = log.open.get(key)
    if span is not None:
        close(log, key, at if at - span.sure <= INTERVAL + SLACK else None, where)


def restarted(log: Log, fact: Fact) -> None:
    """End all intervals of a client id, because a new client instance with this id was created."""
    if fact.at is not None:
        log.created[fact.client] = fact.at
    for key in [one for one in log.open if one[1] == fact.client]:
        close(log, key, None, ("", 0))


def replaced(log: Log, member: tuple[str, str], span: Span) -> bool:
    """Return True if another client was created in the log after the last line about the client's ownership.

    Then the client's process had probably ended. ``member``: group and client of the interval ``span``.
    """
    last = max(span.sure, log.committed.get(member, 0))
    return any(other != member[1] and at > last for other, at in log.created.items())


def worked(log: Log, fact: Fact, where: Where) -> None:
    """Record that a listener returned after its queue had been removed."""
    assert fact.at is not None
    assert fact.queue
    spans = [one for one in log.closed.get(fact.queue, [])[-RECENT:] if one.end <= fact.at]
    if spans and not any(key[2] == fact.queue for key in log.open):
        span = max(spans, key=lambda one: one.end)
        span.worked, span.worked_at, span.counted = fact.at, where, fact.kind is not Kind.UNCOUNTED


def ended(log: Log, interval: int) -> None:
    """End all open intervals at the log's last line.

    If commits ended earlier, they end at the consumer's last commit. ``interval``: ms between commits.
    """
    last = max((end for _, end in log.heard), default=None)
    for (group, client, _), span in log.open.items():
        last_commit = log.committed.get((group, client), 0)
        several = len(log.clients.get(group, [])) > 1
        stopped = span.committed and last_commit - span.sure > 3 * interval + SLACK
        over = several and last is not None and last - log.seen.get((group, client), 0) > 3 * interval + SLACK
        if not (stopped or over or replaced(log, (group, client), span)) and last is not None:
            span.end = max(span.sure, last)
        else:
            span.end = span.sure
        log.share(group).spans.append(span)
    log.open.clear()
