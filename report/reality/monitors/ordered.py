"""Monitor claims about ordered consumption: concurrent listener calls, and the lock."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.limits import DEFAULTS
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table, lock_of
from rebalance_proofs.recorded.groups.codes import LOCK, UNLOCK
from rebalance_proofs.recorded.groups.member import ShutdownBegin, ShutdownEnd, Started
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.report.reality.monitors.overlap import overlap
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "ordered"


def ordered(view: View) -> Iterator[Told]:
    """Check listener calls and locks of all ordered groups in the recording."""
    for who in view.trace.consumers:
        if view.trace.ordered(who):
            release = view.trace.release(who)
            what = "a queue's listener was called while another call for the queue ran in the same consumer"
            yield told(KIND, release, "local", what, *_in_one(view.calls[who]))
            what = "a consumer still held the broker's lock after its shutdown"
            yield told(KIND, release, "given-back", what, *_given_back(view, who))
    for group in view.groups:
        if view.ordered(group) and (release := view.release_of(group) or ""):
            yield from overlap(view, group, release)
            what = "a lock was denied although its holder's entry was removed longer ago than the broker's limit"
            yield told(KIND, release, "let-go", what, *_let_go(view, group))
            what = "a lock changed its holder without being free, released or expired"
            yield told(KIND, release, "mixed", what, *_changes(view, group))


def _in_one(calls: list[Call]) -> tuple[int, list[Bad]]:
    of_queue: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for call in calls:
        of_queue[call.q].append((call.begin, call.end))
    pairs = [pair for its in of_queue.values() for pair in pairwise(sorted(its))]
    return len(pairs), [(later[0], one[1] - later[0]) for one, later in pairs if later[0] < one[1]]


def _let_go(view: View, group: str) -> tuple[int, list[Bad]]:
    """Check lock requests of other consumers after the holder lost the queue and its lock must have expired.

    Requests count until another consumer gets the lock.
    """
    chances, bad = 0, list[Bad]()
    locks: defaultdict[str, list[tuple[int, str, bool]]] = defaultdict(list)
    for who in view.groups[group]:
        for call in view.asked(who, LOCK):
            for q in call.ask.said.queues if call.answered else ():
                granted = call.answered is not None and q in (call.answered.said.granted or ())
                locks[q].append((call.answered.at if call.answered else 0, who, granted))
    for (owner, q), entries in view.entries.items():
        for place, held in enumerate(entries if owner in view.groups[group] else ()):
            until = entries[place + 1].begin if place + 1 < len(entries) else view.trace.end
            asked = [one for one in locks[q] if held.end <= one[0] < until]
            last = max([held.end, *(at for at, who, _ in asked if who == owner)])
            taken = min((at for at, who, granted in asked if who != owner and granted), default=until)
            for at, who, granted in asked:
                if who != owner and last + number(DEFAULTS.broker) < at <= taken:
                    chances += 1
                    bad += [(at, None)] * (not granted)
    return chances, bad


def _given_back(view: View, who: str) -> tuple[int, list[Bad]]:
    """Check which locks of a consumer remain in the broker's table after its shutdown."""
    group, begun, ended = view.trace.consumers[who].group, *_shutdown(view, who)
    chances, bad = 0, list[Bad]()
    mine = next((event.client_id for event in view.trace.kind(Started, who)), None)
    if ended is None or mine is None:
        return 0, []
    for broker in view.trace.brokers:
        held: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
        for row in view.trace.kind(Table, broker):
            lock = lock_of(row)
            if lock and lock.group == group:
                held[lock.q].append((row.at, row.is_))
        for rows in held.values():
            if _at(rows, begun) == mine:
                chances += 1
                gone = next((at for at, owner in rows if at > begun and owner != mine), view.trace.end)
                bad += [(ended, gone - ended)] * (gone > ended + LOOK + STALL)
    return chances, bad


def _shutdown(view: View, who: str) -> tuple[int, int | None]:
    begun, ended = view.trace.kind(ShutdownBegin, who), view.trace.kind(ShutdownEnd, who)
    return (begun[0].at, ended[0].at) if begun and ended else (0, None)


def _at(rows: list[tuple[int, str | None]], at: int) -> str | None:
    return next((owner for when, owner in reversed(rows) if when <= at), None)


def _changes(view: View, group: str) -> tuple[int, list[Bad]]:
    """Check each change of the broker's locks of a group; restarts of the broker are ignored."""
    chances, bad = 0, list[Bad]()
    for broker in view.trace.brokers:
        if view.trace.killed(broker):
            continue
        granted: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for event in view.trace.kind(Answered, broker):
            if event.code == LOCK and event.asked.consumer_group == group and event.asked.client_id:
                for q in event.said.granted or ():
                    granted[q, event.asked.client_id].append(event.at)
        returned: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for heard in view.trace.kind(Heard, broker):
            if heard.code == UNLOCK and heard.said.consumer_group == group and heard.said.client_id:
                for q in heard.said.queues:
                    returned[q, heard.said.client_id].append(heard.at)
        for row in view.trace.kind(Table, broker):
            lock = lock_of(row)
            if lock is None or lock.group != group or row.was is None:
                continue
            chances += 1
            back = any(row.at - LOOK - STALL <= at <= row.at for at in returned[lock.q, row.was])
            last = max((at for at in granted[lock.q, row.was] if at <= row.at), default=0)
            bad += [(row.at, None)] * (not back and row.at - last <= number(DEFAULTS.broker))
    return chances, bad
