"""Monitor claims about pulls refused because of the subscription: when is the next one accepted?"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.subscriptions.limits import DEFAULTS
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.subscriptions.said import subs
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.codes import BEAT
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "subscriptions"
RETRY = number(DEFAULTS.retry) + STALL
"""Longest time in ms until a refused pull is sent again."""
Pull = tuple[str, int, bool]
"""One pull: (queue, time in ms, True if the broker refused it)."""


@dataclass(frozen=True)
class _Stretch:
    """Successive pulls of one process queue, which the broker refused without exception."""

    q: str
    since: int
    until: int
    """Time in ms at which the next pull was accepted or the process queue was removed."""


def let_through(view: View, who: str, release: str, v2: bool, pulls: list[Pull]) -> Iterator[Told]:
    """Check after each first refused pull of a queue how long it takes until a pull is accepted.

    ``who``: the consumer. ``v2``: consumers send heartbeats V2, where a pull can be accepted one heartbeat later.
    """
    apart = number(DEFAULTS.apart)
    found = [one for one in _stretches(view, who, pulls) if not view.away(one.since, one.until, apart)]
    others = [*_turns(view, who)]
    of = {True: lambda client: client.fingerprints, False: lambda client: not client.fingerprints}[v2]
    once, twice = (apart * times + STALL for times in (1, 2))
    what = f"after a refused pull, the broker accepted no pull of the queue for {once // 1000} s"
    crowded = {one for one in found if any(one.since < at < one.until and not _has(beat, one.q) for at, beat in others)}
    free = [one for one in found if one not in crowded]
    if v2:
        yield told(KIND, release, "answered", what, 0, _long(found, once), of=of)
        words = f"after a refused pull, the broker accepted no pull of the queue for {twice // 1000} s"
        yield told(KIND, release, "answered-later", words, len(free), _long(free, twice), of=of)
        return
    yield told(KIND, release, "answered", what, len(free), _long(free, once), of=of)
    words = f"{what}, and heartbeats without the topic followed the member's own at once"
    yield told(KIND, release, "answered", words, 0, _long([*crowded], once), variants=("without-room",), of=of)
    words = "a pull was refused again after the member's heartbeat, because one without the topic came first"
    again = sorted(_again(found, others, pulls))
    yield told(KIND, release, "never-answered", words, 0, again, can=True, of=of)


def _long(stretches: list[_Stretch], limit: int) -> list[Bad]:
    return [(one.since, one.until - one.since) for one in stretches if one.until - one.since > limit]


def _stretches(view: View, who: str, pulls: list[Pull]) -> Iterator[_Stretch]:
    of_queue: dict[str, list[tuple[int, bool]]] = {}
    for q, at, refused in sorted(pulls, key=lambda one: one[1]):
        of_queue.setdefault(q, []).append((at, refused))
    for q, its in of_queue.items():
        since: int | None = None
        for at, refused in its:
            held = view.entry(who, q, at)
            if since is not None and (held is None or held.begin > since):
                since = None
            if refused:
                since = at if since is None else since
            elif since is not None:
                yield _Stretch(q, since, at)
                since = None
        held = view.entry(who, q, since) if since is not None else None
        if held is not None and since is not None:
            yield _Stretch(q, since, max(since, min(held.end, view.leaves(who))))


def _turns(view: View, who: str) -> Iterator[tuple[int, Call]]:
    """Yield (end of the consumer's heartbeat in ms, another consumer's heartbeat soon after it)."""
    own = sorted(call.answered.at for call in view.asked(who, BEAT) if call.answered)
    for other in view.groups[view.trace.consumers[who].group]:
        for call in view.asked(other, BEAT) if other != who else ():
            if call.answered and (place := bisect_right(own, call.answered.at)):
                before = own[place - 1]
                if call.answered.at - before <= number(DEFAULTS.retry):
                    yield before, call


def _has(call: Call, q: str) -> bool:
    """Return True if a heartbeat contains the topic of a queue, or omits its topics."""
    groups = call.ask.said.groups or ()
    topic = topic_of(q)
    return any(not one.subs or topic in subs(call.ask.said, one.group) for one in groups)


def _again(stretches: list[_Stretch], others: list[tuple[int, Call]], pulls: list[Pull]) -> Iterator[Bad]:
    """Yield refused pulls that followed heartbeats of the consumer and of another consumer."""
    for one in stretches:
        times = [at for q, at, _ in sorted(pulls, key=lambda pull: pull[1]) if q == one.q and at < one.until]
        for at, beat in others:
            came = beat.answered.at if beat.answered else at
            if one.since < at and came < one.until and not _has(beat, one.q):
                place = bisect_left(times, at)
                if place < len(times) and times[place] > came:  # no pull came in between
                    yield times[place], None
