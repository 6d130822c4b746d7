"""Measured times that an ordered group's locks depend on: duration of answers, renewals and listeners."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.recorded.cluster.clients import ordered_client
from rebalance_proofs.recorded.cluster.ordered.known import limits as set_up
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.member import Entry
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.view import View

PERIOD = "rocketmq.client.rebalance.lockInterval"


def measured(view: View, group: str, release: str, until: int) -> Limits:
    """Return an ordered group's time limits in ms: its settings, and the longest times measured so far."""
    members = view.groups[group]
    own = [set_up(view.trace.consumers[who]) for who in members]
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
