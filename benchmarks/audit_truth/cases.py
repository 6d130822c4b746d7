"""Cases of each kind of finding, of which an audit should tell."""

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar

from benchmarks.audit_truth.disagree import differing, divided, unlike
from benchmarks.audit_truth.happened import OVER, Happened
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.audit.log import intersection, union

PAUSE = 30_000
"""ms of pause that end an episode of lines of one kind."""
STORM, WITHIN = 10, 60_000
"""Notifications of one member within so many ms that make a storm."""
BACK = 60_000
"""ms within which a queue's offset that goes back again is the same case."""
IN_FLIGHT = 200
"""ms within which of two requests the later one can arrive first."""
STILL = 15_000
"""ms that a process stands still from which its log shows it."""


class Case(NamedTuple):
    """One of them."""

    what: What
    group: str
    queue: str
    """"" where it is of no queue alone."""
    who: frozenset[str]
    """Whom it concerns; empty if that is not known."""
    at: int
    until: int
    must: bool = True
    """Whether it has to be told; else it is right to, and no loss if not."""
    reason: str = ""


def cases(really: Happened) -> list[Case]:
    """All of them, of all kinds but owners."""
    every = (_views, _unlike, _back, _listeners, _locks, _refused, _storms, _ids, _unread, _stalled)
    return [one for kind in every for one in kind(really)]


def _views(really: Happened) -> Iterator[Case]:
    for group, topic, who, at, until, told in differing(really):
        yield Case(What.VIEWS, group, f"{topic}::", frozenset({who}), at, until, told and until - at > OVER)
    for group, topic, who, at, until in divided(really):
        yield Case(What.VIEWS, group, f"{topic}::", who, at, until, until - at > OVER, "strategies")


def _unlike(really: Happened) -> Iterator[Case]:
    for group, topic, who, at, until, told in unlike(really):
        yield Case(What.UNLIKE, group, f"{topic}::", who, at, until, told and (len(who) < 2 or until - at > OVER))


def _back(really: Happened) -> Iterator[Case]:
    keyed = [((one.group, f"{one.topic}::{one.number}"), one.at) for one in really.set_back]
    for (group, queue), at, until in _episodes(keyed, BACK):
        yield Case(What.BACK, group, queue, frozenset(), at, until)
    # What was sent so, or so soon after another one that the broker may have had it first; it need not have arrived.
    last: dict[tuple[str, str], tuple[int, int]] = {}
    commits = [(at, group, queue, offset) for at, _, group, queue, offset in really.commits]
    for at, group, queue, offset in sorted([*commits, *really.pulled_with]):
        before, lower = last.get((group, queue), (0, offset))
        if offset < lower or (offset > lower and at - before <= IN_FLIGHT):
            yield Case(What.BACK, group, queue.replace(":", "::"), frozenset(), at, at, must=False)
        last[group, queue] = at, offset


def _listeners(really: Happened) -> Iterator[Case]:
    """Calls that end after the queue's next owner has added it, put together; of that owner they have to be told."""
    found: dict[tuple[str, str], list[tuple[int, str, int, bool]]] = {}
    for one in really.called:
        owners = really.owners(one.queue, really.groups[one.who])
        for other, _, added, _ in owners:
            if other != one.who and one.begin < added < one.end:
                left = not any(entry[0] == one.who and entry[2] <= added < entry[3] for entry in owners)
                found.setdefault((one.who, one.queue), []).append((added, other, one.end, left))
    for (who, queue), calls in found.items():
        for (added, other), own in groupby(sorted(calls), key=lambda call: call[:2]):
            every = list(own)
            until, left = max(call[2] for call in every), all(call[3] for call in every)
            first = not any(call[0] < added < call[2] for call in calls)
            must = left and first and until - added > OVER
            yield Case(What.LISTENERS, really.groups[who], queue, frozenset({who, other}), added, until, must)


def _locks(really: Happened) -> Iterator[Case]:
    keyed = [((one.who, one.queue), one.at) for one in really.denied]
    for (who, queue), at, until in _episodes(keyed, PAUSE):
        yield Case(What.LOCKS, really.groups.get(who, ""), queue, frozenset({who}), at, until)


def _refused(really: Happened) -> Iterator[Case]:
    keyed = [((one.who, one.group, one.reason), one.at) for one in really.refused]
    for (who, group, reason), at, until in _episodes(keyed, PAUSE):
        yield Case(What.REFUSED, group, "", frozenset({who} - {""}), at, until, reason=reason)


def _storms(really: Happened) -> Iterator[Case]:
    for who, own in groupby(sorted(really.notified, key=lambda one: (one[1], one[0])), key=lambda one: one[1]):
        times = [at for at, _ in own]
        full = ((first, last) for first, last in zip(times, times[STORM - 1 :], strict=False) if last - first <= WITHIN)
        for at, until in union(full):
            yield Case(What.STORM, really.groups[who], "", frozenset({who}), at, until)


def _ids(really: Happened) -> Iterator[Case]:
    every = sorted(really.clients)
    for place, one in enumerate(every):
        for other in every[place + 1 :]:
            alike = really.clients[one] == really.clients[other] and really.groups[one] == really.groups[other]
            if alike and one in really.ran and other in really.ran:
                for at, until in intersection([really.ran[one]], [really.ran[other]]):
                    yield Case(What.IDS, really.groups[one], "", frozenset({one, other}), at, until, until - at > OVER)


def _unread(really: Happened) -> Iterator[Case]:
    for who, queue, begin, end in really.entries:
        for at, until in union(really.still.get(who, [])):
            if begin < at and until <= end:
                # Its log is silent from its last line before to its first one after.
                must = until - at > STILL
                yield Case(What.UNREAD, really.groups[who], queue, frozenset({who}), at, until, must)
    for who, times in really.paused.items():
        for at, until in times:
            yield Case(What.UNREAD, really.groups[who], "", frozenset({who}), at, until)
    for who, queue, _, end in really.unpulled:
        yield Case(What.UNREAD, really.groups[who], queue, frozenset({who}), end, end)


def _stalled(really: Happened) -> Iterator[Case]:
    for who, queue, at, until in really.stalled:
        yield Case(What.STALLED, really.groups[who], queue, frozenset({who}), at, until)


Key = TypeVar("Key", bound=tuple[str, ...])


def _episodes(keyed: Iterable[tuple[Key, int]], pause: int) -> Iterator[tuple[Key, int, int]]:
    """(key, first, last) of what comes with no longer pause."""
    for key, own in groupby(sorted(keyed), key=lambda one: one[0]):
        times = [at for _, at in own]
        ends = [*(place for place, (one, other) in enumerate(pairwise(times)) if other - one > pause), len(times) - 1]
        begin = 0
        for end in ends:
            yield key, times[begin], times[end]
            begin = end + 1
