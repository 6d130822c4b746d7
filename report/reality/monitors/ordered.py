"""Monitor claims about ordered consumption: concurrent listener calls, and the lock."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.machines.ordered.assumptions import (
    ALIKE,
    ALIKE_OUT_OF_TIME,
    BY_DEFAULT,
    IN_TIME,
    OUT_OF_TIME,
    RENEWED,
    RENEWED_OUT_OF_TIME,
    Circumstances,
    asked,
    enough,
)
from rebalance_proofs.model.machines.ordered.claims import PAGE
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, Limits
from rebalance_proofs.recorded.cluster.clients import limits_of, ordered_client
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table, lock_of
from rebalance_proofs.recorded.groups.event import LOCK, UNLOCK
from rebalance_proofs.recorded.groups.member import Entry, EntryGone, ShutdownBegin, ShutdownEnd, Started, Unsubscribed
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

# Measured times that an ordered group's locks depend on: duration of answers, renewals and listeners.

PERIOD = "rocketmq.client.rebalance.lockInterval"


def measured(view: View, group: str, release: str, until: int) -> Limits:
    """Return an ordered group's time limits in ms: its settings, and the longest times measured so far."""
    members = view.groups[group]
    own = [limits_of(PAGE, view.trace.consumers[who]) for who in members]
    begun = [call for who in members for call in view.all_calls[who] if call.begin < until]
    return replace(
        DEFAULTS,
        delay=max((ms for who in members for ms in _delays(view, who, until)), default=0),
        client=max(number(one.client) for one in own),
        broker=min(number(one.broker) for one in own),
        unlock=min(number(one.unlock) for one in own),
        loop=max(number(one.loop) for one in own),
        wait=min(number(one.wait) for one in own),
        listener=max((call.end - call.begin for call in begun), default=0),
        renewal=max((ms for who in members for ms in _gaps(view, who, release, until)), default=0),
    )


def as_shipped(view: View, group: str) -> bool:
    """Return True if all members and brokers of a group have default settings."""
    members = (view.trace.consumers[who] for who in view.groups[group])
    return not any(one.props or one.settings for one in members)


def in_time(view: View, release: str, call: Call, until: int) -> bool:
    """Return True if the lock of the call's queue was renewed in time until ``until``, apart from a pause."""
    held = view.entry(call.who, call.q, call.begin)
    given = view.trace.consumers[call.who].numbers({"period": PERIOD})
    most = given.get("period", number(DEFAULTS.renewal)) + STALL
    return held is not None and all(ms <= most for ms in _of_entry(view, release, held, until))


def _delays(view: View, who: str, until: int) -> Iterator[int]:
    """Yield times in ms from a lock grant to its answer, and to the process queue created with it."""
    for (owner, q), entries in view.entries.items():
        grants = view.granted[who].get(q, []) if owner == who else []
        yield from (noted - at for at, noted in grants if at < until)
        for held in entries if owner == who else ():
            before = [at for at, _ in grants if at <= held.begin]
            if before and held.begin < until:
                yield held.begin - max(before)


def _gaps(view: View, who: str, release: str, until: int) -> Iterator[int]:
    for (owner, _), entries in view.entries.items():
        for held in entries if owner == who else ():
            if held.begin < until:
                yield from _of_entry(view, release, held, until)


def _of_entry(view: View, release: str, held: Held, until: int) -> Iterator[int]:
    """Yield the times in ms between renewals of a process queue's lock, while renewals were due."""
    over = min(held.end, until)
    if not ordered_client(release).rules.renews_marked:
        marks = (event for event in view.trace.kind(Entry, held.who) if event.q == held.q)
        over = min([over, *(one.at for one in marks if one.entry == held.entry and one.dropped)])
    noted = [at for _, at in view.granted[held.who].get(held.q, []) if held.begin < at < over]
    yield from (later - one for one, later in pairwise([held.begin, *noted, max(over, held.begin)]))


# Monitor claims that two listeners on one ordered queue occur only if an assumption fails.

KIND = "ordered"
BOTH = "listeners of two consumers ran on one ordered queue"
DROPPED = ("time", "overtaken", "return", "shutdown", "unsubscribed", "restart", "twin")
"""Assumptions that some claim drops, by the last part of the claim's id (``without-NAME``)."""
FAILED = {
    "shutdown": "and one of them was shut down",
    "unsubscribed": "and the first one unsubscribed from the topic in between",
    "twin": "with the same client id",
    "restart": "and the broker ended in between",
    "return": "and the queue had returned to one of them during its delayed unlock",
    "time": "and the time limits break the exclusivity condition",
}
"""Assumptions whose failure can be seen in a recording, each with a description of the failure."""


@dataclass(frozen=True)
class _Pair:
    """Two concurrent listener calls on one queue, by two consumers."""

    one: Call
    later: Call
    why: str
    """Name of the assumption that failed before the second call began; "" if none did."""

    @property
    def bad(self) -> Bad:
        return self.later.begin, min(self.one.end, self.later.end) - self.later.begin


def overlap(view: View, group: str, release: str) -> Iterator[Told]:
    """Check pairs of concurrent listeners, by the failed assumption, and count chances for such pairs."""
    calls: defaultdict[str, list[Call]] = defaultdict(list)
    for who in view.groups[group]:
        for call in view.all_calls[who]:
            calls[call.q].append(call)
    for its in calls.values():
        its.sort(key=lambda call: call.begin)
    pairs = [_Pair(*two, _failed(view, group, release, *two)) for its in calls.values() for two in _at_once(its)]
    changes = [(one, later) for its in calls.values() for one, later in pairwise(its) if one.who != later.who]
    for world in (IN_TIME, RENEWED, ALIKE):
        yield _kept(view, group, release, world, pairs, changes)
    for why, words in FAILED.items():
        bad = [pair.bad for pair in pairs if pair.why == why]
        yield told(KIND, release, "exclusive", f"{BOTH}, {words}", 0, bad, variants=(f"without-{why}",))
    dropped = [f"without-{name}" for name in DROPPED]
    unknown = [pair.bad for pair in pairs if not pair.why]
    yield told(KIND, release, "exclusive", BOTH, 0, unknown, variants=(), perhaps=dropped)
    yield from _attained(view, group, release, pairs)
    yield _returned(view, group, release, pairs, changes)


def _at_once(calls: list[Call]) -> Iterator[tuple[Call, Call]]:
    """Yield pairs of concurrent calls of two consumers, from calls sorted by their beginnings."""
    for place, one in enumerate(calls, start=1):
        for later in calls[place:]:
            if later.begin >= one.end:
                break
            if one.who != later.who:
                yield one, later


def _kept(
    view: View,
    group: str,
    release: str,
    world: Circumstances,
    pairs: list[_Pair],
    changes: list[tuple[Call, Call]],
) -> Told:
    """Check the claims under the assumptions ``world``.

    Each change of a queue's owner is a chance.
    """
    until = _undisturbed(view, group)
    if not _meets(view, group, release, world, until):
        until = 0
    chances = sum(later.begin < until for _, later in changes)
    bad = [pair.bad for pair in pairs if pair.later.begin < until]
    variant = "" if world is IN_TIME else world.name
    words = BOTH if world is IN_TIME else f"{BOTH}, with locks renewed in time"
    return told(KIND, release, "exclusive", words, chances, bad, variants=(variant,))


def _meets(view: View, group: str, release: str, world: Circumstances, until: int) -> bool:
    """Return True if a group's measured times satisfy the condition on times that ``world`` assumes."""
    limits = measured(view, group, release, until)
    return all(truth(one) for one in asked(ordered_client(release), world, limits).values())


def _returned(view: View, group: str, release: str, pairs: list[_Pair], changes: list[tuple[Call, Call]]) -> Told:
    """Check the claims about a queue that returned to its owner before its delayed unlock, then moved."""
    until = _undisturbed(view, group, returns=True)
    if not _meets(view, group, release, IN_TIME, until):
        until = 0
    back = [(one, later) for one, later in changes if later.begin < until and _returned_to(view, release, one, later)]
    words = f"{BOTH}, after it had returned to one of them during its delayed unlock"
    bad = [pair.bad for pair in pairs if (pair.one, pair.later) in back]
    return told(KIND, release, "exclusive", words, len(back), bad, variants=("without-return",), holding=True)


def _attained(view: View, group: str, release: str, pairs: list[_Pair]) -> Iterator[Told]:
    """Check the claims that two listeners can run at once if only an exact time limit is exceeded."""
    client = ordered_client(release)
    soon = ALIKE_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME
    of_time = [pair for pair in pairs if pair.why == "time"]
    yield told(KIND, release, "exact", f"{BOTH}, {FAILED['time']}", 0, [pair.bad for pair in of_time], can=True)
    renewed = [pair for pair in of_time if in_time(view, release, pair.one, pair.later.begin)]
    out = [pair for pair in renewed if not _meets(view, group, release, soon, pair.later.begin)]
    words = f"{BOTH}, although each renewal was in time"
    yield told(KIND, release, "exact", words, 0, [pair.bad for pair in out], variants=("renewed",), can=True)
    shipped = [pair.bad for pair in renewed] if as_shipped(view, group) else []
    yield told(
        KIND, release, "exclusive", f"{words}, with all default settings", 0, shipped,
        variants=(BY_DEFAULT.name,),
    )  # fmt: skip
    limits = measured(view, group, release, view.trace.end)
    shut = [pair.bad for pair in pairs if pair.why == "shutdown" and not truth(enough(client.rules, limits))]
    words = f"{BOTH}, because a shutdown did not wait long enough"
    yield told(KIND, release, "exact", words, 0, shut, variants=("shutdown",), can=True)


def _failed(view: View, group: str, release: str, one: Call, later: Call) -> str:
    """Return the assumption that failed before the second call began, or ""."""
    if any(event.at <= later.begin for call in (one, later) for event in view.trace.kind(ShutdownBegin, call.who)):
        return "shutdown"  # its listener still ran or was called again, so the shutdown had not waited for it
    topic = topic_of(one.q)
    if any(one.begin <= event.at <= later.begin for event in view.trace.kind(Unsubscribed, one.who)
           if event.topic == topic):  # fmt: skip
        return "unsubscribed"
    if view.ids(one.who) & view.ids(later.who):
        return "twin"
    entries = [view.entry(call.who, call.q, call.begin) for call in (one, later)]
    since = min([one.begin, *(held.begin for held in entries if held)])
    if any(since <= at <= later.begin for at in view.trace.killed(one.q.split(":")[1])):
        return "restart"
    if _came_back(view, release, one, later):
        return "return"
    return "" if _meets(view, group, release, OUT_OF_TIME, later.begin + 1) else "time"


def _came_back(view: View, release: str, one: Call, later: Call) -> bool:
    """Return True if a delayed unlock of a queue that had returned was due between the two calls."""
    return ordered_client(release).puts_off and _returned_to(view, release, one, later)


def _returned_to(view: View, release: str, one: Call, later: Call) -> bool:
    """Return True if a queue returned to the first consumer within the delay of an unlock, which ended by ``later``.

    From 5.2 on, no unlock is delayed.
    """
    delay = number(measured(view, view.trace.consumers[one.who].group, release, later.begin).unlock)
    entries = [held for held in view.entries.get((one.who, one.q), ()) if held.begin <= later.begin]
    return any(
        before.end < after.begin <= before.end + delay <= later.begin and after.begin <= one.end
        for before, after in pairwise(entries)
    )


def _undisturbed(view: View, group: str, *, returns: bool = False) -> int:
    """Return the time in ms up to which all assumptions except those on times hold.

    ``returns``: queues may return during their delayed unlock.
    """
    members, limits = view.groups[group], measured(view, group, view.release_of(group) or "", 0)
    if view.twins(group):
        return 0
    left = (ShutdownBegin, Unsubscribed)
    ends = [event.at for who in members for event in view.trace.of[who] if isinstance(event, left)]
    ends += [at for broker in view.trace.brokers for at in view.trace.killed(broker)]
    for (who, _), entries in view.entries.items():
        if who in members and not returns:
            # A queue can return to a consumer during its delayed unlock.
            ends += [later.begin for one, later in pairwise(entries) if later.begin - one.end < number(limits.unlock)]
    return min([*ends, view.trace.end])


def ordered(view: View) -> Iterator[Told]:
    """Check listener calls and locks of all ordered groups in the recording."""
    for who in view.trace.consumers:
        if view.trace.ordered(who):
            release = view.trace.release(who)
            what = "a queue's listener was called while another call for the queue ran in the same consumer"
            yield told(KIND, release, "local", what, *_in_one(view.calls[who]))
            what = "a consumer still held the broker's lock after its shutdown"
            chances, bad, pending = _given_back(view, who)
            yield told(KIND, release, "given-back", what, chances, bad)
            words = f"{what}, which dropped a delayed unlock"
            yield told(KIND, release, "given-back", words, 0, pending, variants=("without-pending",))
    for group in view.groups:
        if view.ordered(group) and (release := view.release_of(group) or ""):
            yield from overlap(view, group, release)
            what = "a lock was denied although its holder's entry was removed longer ago than the broker's limit"
            yield told(KIND, release, "let-go", what, *_let_go(view, group))
            what = "a lock was denied until the broker's limit after its holder's entry was removed, or its last grant"
            yield told(KIND, release, "kept-so-long", what, 0, _kept_so_long(view, group), can=True)
            what = "a lock changed its holder without being free, released or expired"
            yield told(KIND, release, "mixed", what, *_changes(view, group))


def _in_one(calls: list[Call]) -> tuple[int, list[Bad]]:
    of_queue: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for call in calls:
        of_queue[call.q].append((call.begin, call.end))
    pairs = [pair for its in of_queue.values() for pair in pairwise(sorted(its))]
    return len(pairs), [(later[0], one[1] - later[0]) for one, later in pairs if later[0] < one[1]]


def _locks(view: View, group: str) -> Mapping[str, list[tuple[int, str, bool]]]:
    """Return queue -> (time of the broker's answer, consumer, whether it got the lock) of each answered request."""
    locks: defaultdict[str, list[tuple[int, str, bool]]] = defaultdict(list)
    for who in view.groups[group]:
        for call in view.asked(who, LOCK):
            for q in call.ask.said.queues if call.answered else ():
                granted = call.answered is not None and q in (call.answered.said.granted or ())
                locks[q].append((call.answered.at if call.answered else 0, who, granted))
    return locks


def _kept_so_long(view: View, group: str) -> list[Bad]:
    """Return lock requests that were denied just before the longest time for which an unused lock can be held.

    Times of recordings are exact up to ``STALL``, so a request that much before the bound counts.
    """
    if view.twins(group):
        return []
    locks, bad, limit = _locks(view, group), list[Bad](), number(measured(view, group, "", 0).broker)
    for (owner, q), entries in view.entries.items():
        for held, later in pairwise([*entries, None]) if owner in view.groups[group] else ():
            until = later.begin if later else view.trace.end
            if held is None or not held.how:
                continue  # its process ended
            granted = [at for at, who, got in locks[q] if got and who == owner]
            for at, who, got in locks[q]:
                last = max([held.end, *(one for one in granted if one <= at)])
                others = any(got_it and one != owner and held.end <= when < at for when, one, got_it in locks[q])
                if who != owner and not got and not others and last + limit - STALL <= at <= min(until, last + limit):
                    bad.append((at, at - held.end))
    return bad


def _let_go(view: View, group: str) -> tuple[int, list[Bad]]:
    """Check lock requests of other consumers after the holder lost the queue and its lock must have expired.

    Requests count until another consumer gets the lock.
    """
    chances, bad = 0, list[Bad]()
    locks = _locks(view, group)
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


def _given_back(view: View, who: str) -> tuple[int, list[Bad], list[Bad]]:
    """Check which locks of a consumer remain in the broker's table after its shutdown.

    Return (chances, locks that remain, those of queues that it gave up within the delay of an unlock before).
    """
    group, begun, ended = view.trace.consumers[who].group, *_shutdown(view, who)
    chances, bad, pending = 0, list[Bad](), list[Bad]()
    mine = next((event.client_id for event in view.trace.kind(Started, who)), None)
    if ended is None or mine is None:
        return 0, [], []
    for broker in view.trace.brokers:
        if any(since <= ended and begun <= until for since, until in view.frozen(broker)):
            continue  # the requests to unlock wait
        held: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
        for row in view.trace.kind(Table, broker):
            lock = lock_of(row)
            if lock and lock.group == group:
                held[lock.q].append((row.at, row.is_))
        for q, rows in held.items():
            if _at(rows, begun) == mine and _got(view, who, q, begun):
                gone = next((at for at, owner in rows if at > begun and owner != mine), view.trace.end)
                kept: list[Bad] = [(ended, gone - ended)] * (gone > ended + LOOK + STALL)
                if _put_off(view, who, q, begun):
                    pending += kept
                else:
                    chances += 1
                    bad += kept
    return chances, bad, pending


def _got(view: View, who: str, q: str, until: int) -> bool:
    """Return True if the process got the lock before a time; an earlier process can have had its client id."""
    calls = (call for call in view.asked(who, LOCK) if call.answered and call.ask.at <= until)
    return any(q in (call.answered.said.granted or ()) for call in calls if call.answered)


def _put_off(view: View, who: str, q: str, at: int) -> bool:
    """Return True if a delayed unlock of the queue is pending at a time: it had cached messages when it left."""
    left = view.entry(who, q, at)
    if not ordered_client(view.trace.release(who)).puts_off or left is None or left.end >= at:
        return False
    gone = (one for one in view.trace.kind(EntryGone, who) if one.entry == left.entry and one.how == "rebalance")
    delay = number(limits_of(PAGE, view.trace.consumers[who]).unlock)
    return any(one.messages and one.at <= at <= one.at + delay for one in gone)


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
