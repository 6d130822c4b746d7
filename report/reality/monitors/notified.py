"""Monitor claims that a broker notifies a group's members when its member list changes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.registry.limits import DEFAULTS
from rebalance_proofs.recorded.cluster.registry.told import how
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Heard
from rebalance_proofs.recorded.groups.codes import BEAT
from rebalance_proofs.recorded.groups.member import Notified
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "registry"
SEEN = LOOK + STALL
"""Longest time in ms until the recorder, which polls a broker's table, sees a change of the table."""


@dataclass
class _Found:
    chances: int = 0
    bad: list[Bad] = field(default_factory=list)
    """Changes of the member list of which a remaining member was not notified."""
    scanned: list[Bad] = field(default_factory=list)
    """The changes in ``bad`` that the broker's scan for idle connections made."""


def notified(view: View, broker: str) -> Iterator[Told]:
    """Check for each change of a group's member list whether the broker notified all other members."""
    set_up, beats = how(view.trace, broker), _beats(view, broker)
    what = "a listed member was not notified of another member's change"
    for group in view.groups:
        release = view.release_of(group)
        if release is None or view.twins(group):
            continue
        found = _group(view, broker, group, beats, number(DEFAULTS.collect) if set_up["later"] else 0)
        words = f"{what}, with notifications switched off"
        off = found.bad if set_up["off"] else []
        yield told(KIND, release, "told", words, 0, off, variants=("without-notifications",))
        if set_up["later"] and not set_up["off"]:
            words = "a listed member was not notified within 15 s of another member's change"
            yield told(KIND, release, "told-late", words, found.chances, found.bad)
        elif not set_up["off"]:
            yield told(KIND, release, "told", what, found.chances, found.bad)
            words = f"{what}, because a scan removed the channel before the broker noticed its end"
            yield told(KIND, release, "told", words, 0, found.scanned, variants=("without-close",))


def _group(view: View, broker: str, group: str, beats: Mapping[str, list[int]], later: int) -> _Found:
    """Check the notifications of one group.

    ``beats``: heartbeat times by port. ``later``: time in ms for which the broker batches notifications.
    """
    found, before = _Found(), frozenset[tuple[str, int]]()
    for at, row in view.lists(broker, group):
        was, ids = ({name for name, _ in each} for each in (before, row))
        gone, before = before - row, row
        if view.trace.delayed(broker, at - SEEN, at + SEEN + later) and not _expired(beats, gone, at):
            continue
        for name in ids & was if ids != was else ():
            who = view.names.get((group, name))
            until = view.due(who, at, later) if who else at
            if who and until + LOOK < view.leaves(who) and not restarts(view, broker, at):
                told_of = any(at - SEEN <= one.at <= until for one in view.trace.kind(Notified, who))
                if _expired(beats, gone, at):  # a scan sends no notification
                    found.scanned += [(at, None)] * (not told_of)
                else:
                    found.chances += 1
                    found.bad += [(at, None)] * (not told_of)
    return found


def _beats(view: View, broker: str) -> Mapping[str, list[int]]:
    """Return the times of heartbeats that the broker received, by port of their connection."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for one in view.trace.kind(Heard, broker):
        if one.code == BEAT:
            found[one.from_.rpartition(":")[2]].append(one.at)
    return found


def _expired(beats: Mapping[str, list[int]], gone: frozenset[tuple[str, int]], at: int) -> bool:
    """Return True if the last heartbeat on one of these connections is old enough for a scan to remove it."""
    last = (max((beat for beat in beats.get(str(port), ()) if beat <= at), default=None) for _, port in gone)
    return any(beat is not None and at - beat > number(DEFAULTS.expired) for beat in last)


def restarts(view: View, broker: str, at: int) -> bool:
    """Return True if the broker is away at a time, or its clients have not returned yet."""
    return any(begin - SEEN <= at <= end + 30_000 for begin, end in view.trace.away(broker))
