"""Members that see another group than the others, and shares that the strategy cannot have given."""

from collections.abc import Iterator

from rebalance_proofs.model.orders import utf16_units
from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.inverted import indexes, sizes
from rebalance_proofs.recorded.audit.times import intersection
from rebalance_proofs.recorded.audit.told import Member, View
from rebalance_proofs.recorded.logs.fact import Kind, Queue

__all__ = ["strategies", "unlike", "views"]

TRIED = 3_000
"""ms by which the lines of one rebalance come before the result in which another member's ends."""


def strategies(group: Group) -> Iterator[Finding]:
    """Members that divide one topic by different strategies."""
    for topic in _topics(group):
        own: dict[str, View] = {}
        for view in _views(group, topic):
            if view.strategy:
                own.setdefault(view.strategy, view)
        if len(own) < 2:
            continue
        every = [view for view in _views(group, topic) if view.strategy]
        at = max((one.at for one in own.values() if one.at is not None), default=None)
        ends = [group.by_log[view.member[1]].last for view in every]
        until = min((one for one in ends if one is not None), default=at) if at is not None else None
        users = {
            name: sorted({group.told(view.member) for view in every if view.strategy == name}) for name in sorted(own)
        }
        yield Finding(
            What.VIEWS,
            Level.SEEN,
            group.name,
            topic,
            tuple(dict.fromkeys(one for many in users.values() for one in many)),
            (Interval(None, at, until),),
            "strategies differ: " + "; ".join(f"{name} in {', '.join(many)}" for name, many in users.items()),
            ("strategies-differ",),
            tuple(one.where for one in own.values()),
        )


def views(group: Group) -> Iterator[Finding]:
    """Members whose table shows that they have not taken up what another member saw."""
    for topic in _topics(group):
        dated = [view for view in _views(group, topic) if view.at is not None and view.cid_all >= 0]
        own: dict[Member, list[View]] = {}
        for view in dated:
            own.setdefault(view.member, []).append(view)
        for member, mine in own.items():
            stale: list[tuple[int, int, View, View]] = []
            for place, last in enumerate(mine):
                following = mine[place + 1].at if place + 1 < len(mine) else group.by_log[member[1]].last
                stale += list(_stale(group, last, following, dated))
            yield from _told(group, topic, member, stale)


def _stale(group: Group, last: View, following: int | None, dated: list[View]) -> Iterator[tuple[int, int, View, View]]:
    """Times at which another member's view stands against this one: (from, to, this, the other)."""
    assert last.at is not None
    news = [
        other
        for other in dated
        if other.member != last.member
        and other.at is not None
        and following is not None
        and last.at < other.at < following
    ]
    for place, other in enumerate(news):
        until = news[place + 1].at if place + 1 < len(news) else following
        assert other.at is not None
        assert until is not None
        if (other.mq_all, other.cid_all) != (last.mq_all, last.cid_all) and not _fits(group, last, other):
            # What is denied is not added, and changes no table: the member has taken the view up, and nobody says so.
            tried = [
                one.at
                for one in group.by_log[last.member[1]].events
                if one.kind in (Kind.DENIED, Kind.NOT_ADDED)
                and one.topic == last.topic
                and one.at is not None
                and one.member == last.member
                and other.at - TRIED <= one.at <= until
            ]
            yield other.at, min([until, *tried]), last, other


def _fits(group: Group, last: View, other: View) -> bool:
    """Whether a member with that result can have taken up the other's view, without that its table changed."""
    if last.strategy and other.strategy and last.strategy != other.strategy:
        return True  # told as that
    queues = group.queues[last.topic]
    if len(queues) == other.mq_all:
        found = indexes(last.strategy, queues, other.cid_all, last.result)
        return found is None or bool(found)
    possible = sizes(last.strategy, other.mq_all, other.cid_all)
    return possible is None or len(last.result) in possible


def _ordered(group: Group) -> bool:
    """Whether the group takes locks: a removal can then be refused, from 5.2 on without a line."""
    return any(one.kind in (Kind.DENIED, Kind.LOCK_FAILED) for share in group.shares for one in share.events)


def _told(group: Group, topic: str, member: Member, stale: list[tuple[int, int, View, View]]) -> Iterator[Finding]:
    """One finding for times that follow each other."""
    joined: list[tuple[int, int, View, View]] = []
    for at, until, mine, other in sorted(stale, key=lambda one: (one[0], one[1])):
        if joined and at <= joined[-1][1] and mine is joined[-1][2]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], until), mine, joined[-1][3])
        else:
            joined.append((at, until, mine, other))
    for at, until, mine, other in joined:
        logs = member[1], other.member[1]
        tolerance = group.tolerance(*logs)
        if until - at <= tolerance:
            continue
        live = intersection(group.heard(logs[0]), [(at, until)])
        heard = sum(end - begin for begin, end in live) > tolerance
        yield Finding(
            What.VIEWS,
            Level.SEEN if heard and group.sure_clocks(*logs) and not _ordered(group) else Level.POSSIBLE,
            group.name,
            topic,
            (group.told(member), group.told(other.member)),
            (Interval(None, at, until),),
            f"the first has what {_sizes(mine)} gives, and the second saw {_sizes(other)}"
            + ("" if heard else "; the first is silent meanwhile"),
            ("routes-differ",) if mine.mq_all != other.mq_all else ("lost-notification", "registries-differ"),
            (other.where, mine.where),
        )


def _sizes(view: View) -> str:
    return f"mqAllSize={view.mq_all}, cidAllSize={view.cid_all}"


def unlike(group: Group) -> Iterator[Finding]:
    """Results that no index of cidAll gets, and indexes of several members that contradict each other."""
    for topic in _topics(group):
        queues = group.queues[topic]
        placed: list[tuple[View, int]] = []
        for view in _views(group, topic):
            if view.cid_all < 0 or not view.result:
                continue  # an own id that is not listed gives an empty result, rightly
            complete = len(queues) == view.mq_all
            found = indexes(view.strategy, queues, view.cid_all, view.result) if complete else None
            possible = sizes(view.strategy, view.mq_all, view.cid_all)
            if (complete and found == ()) or (possible is not None and len(view.result) not in possible):
                yield _alone(group, view)
            elif found and len(found) == 1:
                placed.append((view, found[0]))
        yield from _contradictions(group, topic, placed)


def _alone(group: Group, view: View) -> Finding:
    return Finding(
        What.UNLIKE,
        Level.SEEN,
        group.name,
        view.topic,
        (group.told(view.member),),
        (Interval(None, view.at, view.at),),
        f"{view.strategy} gives no index of {_sizes(view)} these {len(view.result)} queues: {_numbers(view.result)}",
        ("sorted-differently", "mixed-clients"),
        (view.where,),
    )


def _numbers(queues: tuple[Queue, ...]) -> str:
    many = [f"{broker} {number}" for _, broker, number in queues[:8]]
    return ", ".join(many) + (f" and {len(queues) - 8} more" if len(queues) > 8 else "")


def _contradictions(group: Group, topic: str, placed: list[tuple[View, int]]) -> Iterator[Finding]:
    """Two members with the same sizes at the same time, whose indexes cannot be those of one sorted list."""
    told = set()
    for later, own in placed:
        current: dict[Member, tuple[View, int]] = {}
        for view, index in placed:
            if view.at is not None and later.at is not None and view.at <= later.at:
                current[view.member] = (view, index)
        for member, (view, index) in current.items():
            if member == later.member or _sizes(view) != _sizes(later) or view.strategy != later.strategy:
                continue
            if _superseded(group, view, later):
                continue
            ids = sorted((member[0], later.member[0]), key=utf16_units)
            first, second = (index, own) if ids[0] == member[0] else (own, index)
            if member[0] == later.member[0] or first < second:
                continue
            pair = (*sorted((member, later.member)), view.cid_all, first == second)
            if pair in told or group.tolerance(member[1], later.member[1]) >= _together(group, view, later):
                continue
            told.add(pair)
            said = (
                f"both have index {own} of {later.cid_all}"
                if first == second
                else f"{ids[0]} has index {first} and {ids[1]} index {second}, against the order of their ids"
            )
            yield Finding(
                What.UNLIKE,
                Level.SEEN if group.sure_clocks(member[1], later.member[1]) else Level.POSSIBLE,
                group.name,
                topic,
                (group.told(member), group.told(later.member)),
                (Interval(None, later.at, later.at),),
                f"with equal sizes ({_sizes(later)}) {said}: their lists are not the same",
                ("registries-differ", "ids-sorted-differently", "sorted-differently"),
                (view.where, later.where),
            )


def _superseded(group: Group, view: View, later: View) -> bool:
    """Whether the older of two results was over when the newer came: its member has another since, or is gone."""
    return _together(group, view, later) <= 0


def _together(group: Group, view: View, later: View) -> int:
    """ms for which both results stood at once."""
    ends = []
    for one in (view, later):
        following = [
            other.at
            for other in _views(group, one.topic)
            if other.member == one.member and other.at is not None and one.at is not None and other.at > one.at
        ]
        last = max(
            (span.end for queue in one.result for span in group.spans.get(queue, ()) if span.member == one.member),
            default=0,
        )
        ends.append(min([last, *following]))
    assert later.at is not None
    return min(ends) - later.at


def _topics(group: Group) -> list[str]:
    return sorted({view.topic for share in group.shares for view in share.views})


def _views(group: Group, topic: str) -> list[View]:
    every = [view for share in group.shares for view in share.views if view.topic == topic]
    return sorted(every, key=lambda one: (one.at or 0, one.where))
