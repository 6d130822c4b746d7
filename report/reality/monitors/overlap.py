"""Monitor claims that two listeners on one ordered queue occur only if an assumption fails."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    IN_TIME,
    OUT_OF_TIME,
    RENEWED,
    RENEWED_AS_SHIPPED,
    RENEWED_OUT_OF_TIME,
    SOON_OUT_OF_TIME,
    Circumstances,
)
from rebalance_proofs.proofs.ordered.condition import asked
from rebalance_proofs.proofs.ordered.waiting import enough
from rebalance_proofs.recorded.cluster.clients import ordered_client
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.member import ShutdownBegin, Unsubscribed
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.report.reality.monitors.lock_times import as_shipped, in_time, measured
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

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
    back = [(one, later) for one, later in changes if later.begin < until and _came_back(view, release, one, later)]
    words = f"{BOTH}, after it had returned to one of them during its delayed unlock"
    bad = [pair.bad for pair in pairs if (pair.one, pair.later) in back]
    return told(KIND, release, "exclusive", words, len(back), bad, variants=("without-return",), holding=True)


def _attained(view: View, group: str, release: str, pairs: list[_Pair]) -> Iterator[Told]:
    """Check the claims that two listeners can run at once if only an exact time limit is exceeded."""
    client = ordered_client(release)
    soon = SOON_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME
    of_time = [pair for pair in pairs if pair.why == "time"]
    yield told(KIND, release, "exact", f"{BOTH}, {FAILED['time']}", 0, [pair.bad for pair in of_time], can=True)
    renewed = [pair for pair in of_time if in_time(view, release, pair.one, pair.later.begin)]
    out = [pair for pair in renewed if not _meets(view, group, release, soon, pair.later.begin)]
    words = f"{BOTH}, although each renewal was in time"
    yield told(KIND, release, "exact", words, 0, [pair.bad for pair in out], variants=("renewed",), can=True)
    shipped = [pair.bad for pair in renewed] if as_shipped(view, group) else []
    yield told(
        KIND, release, "exclusive", f"{words}, with all default settings", 0, shipped,
        variants=(RENEWED_AS_SHIPPED.name,),
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
    """Return True if a delayed unlock of the queue was due between the two calls.

    The queue had left the first consumer, and had returned to it before the delayed unlock.
    """
    client = ordered_client(release)
    if not client.puts_off:
        return False
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
