"""Findings about queues whose committed offset stands still while consumption goes on elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What, events, lines_of
from rebalance_proofs.recorded.audit.group import Group, Phrase, both, phrase
from rebalance_proofs.recorded.audit.told import Commits, Event, Member, Still, Where
from rebalance_proofs.recorded.logs.commits import STILL
from rebalance_proofs.recorded.logs.fact import Kind, Queue
from rebalance_proofs.recorded.logs.readings import FAILED

FLOW = ("span-too-long", "flow-control")
"""Lines about a full cache: pulled messages wait for the listener."""
LONG = 300_000
"""Time in ms from which a standing offset is certainly unusual if two other queues of the topic move all the time."""
IDLE = 600_000
"""Time in ms from which a topic without any progress is reported."""
RARE = 150_000
"""Longest time in ms between two commits of a client that commits rarely: up to 3.x, once a minute."""
SOON = 900_000
"""Longest time in ms from a standing offset to statistics that show that its topic is still consumed."""
NEAR = 60_000
"""Longest time in ms from a flow-control line to the commits of the same problem; only every 1,000th is logged."""
MOSTLY = 0.8
"""Part of a time in which another queue moves if messages arrive all the time."""
MOVES = 20
"""A queue that progressed this many times as often as it could in a time without progress has stopped."""


@dataclass(frozen=True)
class _Stood:
    """A time in which a queue's committed offset did not move."""

    queue: Queue
    offset: int
    at: int
    until: int
    where: Where
    last: Where
    members: tuple[Member, ...]

    @property
    def long(self) -> int:
        """Its length in ms."""
        return self.until - self.at


def stalled(group: Group) -> Iterator[Finding]:
    """Yield findings about queues whose committed offset did not move, although others did or messages waited."""
    by_queue: dict[Queue, list[Commits]] = {}
    for share in group.shares:
        for run in share.commits:
            if not run.given_up:
                by_queue.setdefault(run.queue, []).append(run)
    waiting: dict[Queue, list[Event]] = {}
    for event in events(group, Kind.SAID):
        if event.name in FLOW and event.queue:
            waiting.setdefault(event.queue, []).append(event)
    told: set[Queue] = set()
    for queue, runs in sorted(by_queue.items()):
        for stood in _stood(queue, runs):
            if stood.long >= STILL and (found := _judged(group, stood, by_queue, waiting.get(queue, ()))):
                told.add(queue)
                yield found
    for queue, own in sorted(waiting.items()):
        if queue not in told:
            yield from _held_back(group, queue, own, by_queue.get(queue, ()))


def _stood(queue: Queue, runs: Sequence[Commits]) -> list[_Stood]:
    """Return the times in which the queue's offset did not move; one time can extend over several runs of commits."""
    every: list[tuple[Still, Member]] = [(still, run.member) for run in runs for still in run.stills]
    found: list[_Stood] = []
    for (offset, at, where, until, last), member in sorted(every, key=lambda one: (one[0][1], one[0][3])):
        before = found[-1] if found else None
        if before and before.offset == offset:
            members = tuple(dict.fromkeys((*before.members, member)))
            end = (until, last) if until >= before.until else (before.until, before.last)
            found[-1] = _Stood(queue, offset, before.at, end[0], before.where, end[1], members)
        else:
            found.append(_Stood(queue, offset, at, until, where, last, (member,)))
    return found


def _judged(
    group: Group, stood: _Stood, by_queue: dict[Queue, list[Commits]], waiting: Sequence[Event]
) -> Finding | None:
    """Return the finding about a standing offset, or None if nothing shows that it should have moved."""
    full = [one for one in waiting if _within(one, stood)]
    siblings = {queue: runs for queue, runs in by_queue.items() if queue[0] == stood.queue[0] and queue != stood.queue}
    moving = {queue: moved for queue, runs in siblings.items() if (moved := _moving(runs, stood.at, stood.until))}
    # A queue that moves for a part of the time only catches up, or its messages end.
    moving = {queue: moved for queue, moved in moving.items() if moved >= MOSTLY * stood.long}
    consumed = [one for one in events(group, Kind.CONSUMES) if not siblings and _consumed(one, stood)]
    if not full and _outage(group, stood):
        return None  # other findings report the failing requests
    evidence = [stood.where, stood.last]
    words: list[str] = [phrase("its committed offset stayed at {offset}", offset=stood.offset)]
    level = Level.POSSIBLE
    if full:
        level = Level.SEEN
        words.append(_flow(full, stood.offset))
        evidence += [one.where for one in full[:2]]
    if moving:
        words.append(
            phrase(", while one other queue of the topic moved on")
            if len(moving) == 1
            else phrase(", while {number} other queues of the topic moved on", number=len(moving))
        )
        if stood.long >= LONG and len(moving) > 1 and min(moving.values()) >= LONG:
            level = Level.SEEN
        first = min(moving)
        evidence.append(siblings[first][0].where)
    elif consumed and not full:
        words.append(phrase(", while messages of the topic were consumed"))
        evidence.append(consumed[0].where)
    if not full and not moving and not consumed:
        stopped = _stopped(by_queue[stood.queue], stood)
        if stood.queue[0].startswith("%RETRY%") or not (stopped or (stood.long >= IDLE and len(siblings) > 0)):
            return None
        words.append(
            phrase(", after it had moved regularly")
            if stopped
            else phrase(", and no other queue of the topic moved either")
        )
    if not full:
        words.append(phrase("; unless no message arrived in it, a message at this offset has not been consumed"))
    return Finding(
        What.STALLED,
        level,
        group.name,
        stood.queue[0],
        tuple(dict.fromkeys(group.told(one) for one in stood.members)),
        (Interval(stood.queue, stood.at, stood.until),),
        both(*words),
        _causes(group, stood, full),
        tuple(dict.fromkeys(evidence)),
        {"offset": stood.offset},
    )


def _consumed(one: Event, stood: _Stood) -> bool:
    """Return whether a statistics line shows that the topic was consumed while, or soon after, the offset stood."""
    return (
        one.topic == stood.queue[0]
        and one.numbers[0] > 0
        and one.at is not None
        and stood.at <= one.at <= stood.until + SOON
    )


def _outage(group: Group, stood: _Stood) -> bool:
    """Return whether pulls or member lists failed while the offset stood, so that nothing was there to consume."""
    logs = {log for _, log in stood.members}
    failed = [
        one
        for one in events(group, Kind.REFUSED, Kind.NO_IDS, Kind.SAID)
        if one.member[1] in logs
        and _within(one, stood)
        and (one.more.startswith(FAILED) or one.kind is Kind.NO_IDS or one.name == "heartbeat-failed")
    ]
    return len(failed) > 1


def _within(one: Event, stood: _Stood) -> bool:
    until = one.until if one.until is not None else one.at
    return one.at is not None and until is not None and one.at <= stood.until + NEAR and until >= stood.at - NEAR


def _flow(full: Sequence[Event], offset: int) -> Phrase:
    """Return what flow-control lines show about the message at the standing offset."""
    if any(len(one.numbers) > 1 and one.numbers[1] == offset for one in full):
        return phrase(", and flow control names it as the first message that the listener has not finished")
    return phrase(", while flow control held back pulls: messages wait for the listener")


def _moving(runs: Sequence[Commits], at: int, until: int) -> int:
    """Return for how many ms of the time a queue's offset moved."""
    inside = sorted((run for run in runs if run.at <= until and run.until >= at), key=lambda run: run.at)
    total = 0
    for run in inside:
        covered = min(run.until, until) - max(run.at, at)
        for _, begin, _, end, _ in run.stills:
            if end - begin >= STILL or run.first == run.last:
                covered -= max(0, min(end, until) - max(begin, at))
        total += max(0, covered) if run.first != run.last else 0
    # Commits that come rarely are runs of their own.
    total += sum(
        later.at - earlier.until
        for earlier, later in pairwise(inside)
        if later.first > earlier.last
        and later.at - earlier.until <= RARE
        and earlier.at == earlier.until
        and later.at == later.until
    )
    return total


def _stopped(runs: Sequence[Commits], stood: _Stood) -> bool:
    """Return whether the queue had progressed regularly and for long before it stopped."""
    if stood.long < LONG:
        return False
    before = sum(run.until - run.at for run in runs if run.at < stood.at and run.first != run.last)
    return before * MOVES >= stood.long and _moving(runs, stood.at - stood.long // MOVES, stood.at) > 1


def _causes(group: Group, stood: _Stood, full: Sequence[Event]) -> tuple[str, ...]:
    """Return the likely causes, the likeliest first; a line about the queue in that time excludes others."""

    def said(*names: str) -> bool:
        return any(
            one.name in names and one.queue in (None, stood.queue) and _within(one, stood)
            for share in group.shares
            for one in share.events
        )

    if said("pull-waits", "go-pull-waits", "not-locked", "go-not-locked", "lock-expired", "go-lock-expired"):
        return ("not-locked-yet", "waits-for-living", "listener-blocks")
    if said("paused", "suspended", "go-suspended"):
        return ("suspended", "listener-blocks")
    if said("not-committed", "commit-not-sent"):
        return ("commit-failed", "broker-unreachable")
    if any(one.name == "span-too-long" for one in full):
        return ("first-message-slow", "listener-blocks")
    if group.ordered:
        return ("listener-blocks", "orderly-suspends")
    if full:
        return ("listener-blocks", "first-message-slow")
    return ("first-message-slow", "listener-blocks")


def _held_back(group: Group, queue: Queue, own: Sequence[Event], runs: Sequence[Commits]) -> Iterator[Finding]:
    """Yield findings from flow-control lines alone, of a queue whose commits do not show the problem."""
    by_offset: dict[int, list[Event]] = {}
    for one in own:
        by_offset.setdefault(one.numbers[1] if len(one.numbers) > 1 else -1, []).append(one)
    for offset, many in sorted(by_offset.items()):
        number = lines_of(many)
        first, last = many[0], many[-1]
        until = last.until if last.until is not None else last.at
        stuck = offset >= 0 and number > 1 and not any(run.last > offset for run in runs)
        if offset >= 0 and (stuck or (number == 1 and len(by_offset) == 1)):
            words = phrase(
                "flow control names {offset} as the first message that the listener has not finished", offset=offset
            )
            what = What.STALLED
        elif _first_of(by_offset, offset):
            words = phrase("flow control held back pulls: messages wait for the listener")
            what, many = What.LINES, list(own)
            number, first, last = lines_of(own), own[0], own[-1]
            until = last.until if last.until is not None else last.at
        else:
            continue
        span = any(one.name == "span-too-long" for one in many)
        yield Finding(
            what,
            Level.SEEN if stuck or what is What.LINES else Level.POSSIBLE,
            group.name,
            queue[0],
            (group.told(first.member),) if first.member[0] else (),
            (Interval(queue, first.at, until),),
            both(words, phrase(", in one line") if number == 1 else phrase(", in {number} lines", number=number)),
            ("first-message-slow", "listener-blocks") if span else ("listener-blocks", "too-slow"),
            tuple(dict.fromkeys((first.where, last.last))),
            {"lines": number, **({"offset": offset} if what is What.STALLED else {})},
        )


def _first_of(by_offset: dict[int, list[Event]], offset: int) -> bool:
    """Return whether this is the first of several offsets, for all of which there is one finding."""
    return offset == min(by_offset)
