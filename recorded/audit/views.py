"""Findings about consumers that rebalance with different lists, and impossible results."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM, java_split, machine_room
from rebalance_proofs.model.queues import MessageQueue, one_broker, utf16_units
from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import ALIVE, Group, both, phrase
from rebalance_proofs.recorded.audit.log import clipped, intersection
from rebalance_proofs.recorded.audit.told import Member, View
from rebalance_proofs.recorded.logs.fact import Queue

# Inverse of the strategies: which positions in cidAll would get the given queues?

INVERTED = {one.rocketmq_name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE)}
"""Strategies (RocketMQ's names) whose result depends only on index and sizes of lists."""
RING, ROOMS = CONSISTENT_HASH.rocketmq_name, MACHINE_ROOM.rocketmq_name
MOST = 4096
"""Largest number of queues or consumers for which results are computed."""
MOST_NAMES = 200
"""Largest number of consumers for which the ring of CONSISTENT_HASH is built."""
MOST_TRIED = 10_000
"""Largest number of pairs (index in cidAll, choice of machine rooms) that are tried."""


@cache
def _shares(strategy: str, queues: int, members: int) -> tuple[frozenset[int], ...]:
    """Return, for each index in cidAll, the positions in mqAll that this consumer gets."""
    cid_all = [str(number) for number in range(members)]
    mq_all = one_broker(queues)
    allocate = INVERTED[strategy].allocate
    return tuple(frozenset(queue.queue_id for queue in allocate(cid, mq_all, cid_all) or ()) for cid in cid_all)


def indexes(strategy: str, mq_all: Sequence[Queue], members: int, result: Collection[Queue]) -> tuple[int, ...] | None:
    """Return the indexes in cidAll of consumers that would get exactly the queues in ``result``.

    Return None if the strategy has no inverse here, or if there are too many queues or consumers.
    """
    if not 0 < members <= MOST or not 0 < len(mq_all) <= MOST:
        return None
    if strategy == ROOMS:
        return _in_rooms(tuple(mq_all), members, frozenset(result))
    if strategy == RING and members == 1:
        return (0,) if set(result) == set(mq_all) else ()  # for every hash, and every virtual node count but 0
    if strategy not in INVERTED:
        return None
    places = {queue: place for place, queue in enumerate(mq_all)}
    if any(queue not in places for queue in result):
        return ()
    wanted = frozenset(places[queue] for queue in result)
    return tuple(index for index, own in enumerate(_shares(strategy, len(mq_all), members)) if own == wanted)


def sizes(strategy: str, queues: int, members: int) -> frozenset[int] | None:
    """Return the possible numbers of queues that one consumer gets.

    Return None in the same cases as ``indexes``.
    """
    if not 0 < members <= MOST or not 0 < queues <= MOST:
        return None
    if strategy == ROOMS:
        return frozenset(range(-(-queues // members) + 1))  # The number of queues in the strategy's rooms is not known.
    if strategy not in INVERTED:
        return None
    return frozenset(len(own) for own in _shares(strategy, queues, members))


def by_names(strategy: str, mq_all: Sequence[Queue], cid_all: Sequence[str], client: str) -> frozenset[Queue] | None:
    """Return a client's queues by CONSISTENT_HASH with default hash and virtual nodes.

    Return None for other strategies, and if there are too many queues or consumers.
    """
    if strategy != RING or len(mq_all) > MOST or len(cid_all) > MOST_NAMES:
        return None
    own = CONSISTENT_HASH.allocate(client, [MessageQueue(*queue) for queue in mq_all], sorted(cid_all, key=utf16_units))
    return frozenset((one.topic or "", one.broker_name or "", one.queue_id) for one in own or ())


@lru_cache(maxsize=1024)
def _in_rooms(mq_all: tuple[Queue, ...], members: int, result: frozenset[Queue]) -> tuple[int, ...] | None:
    """Return the indexes in cidAll that get the result with some list of machine rooms.

    No line logs ``consumeridcs``, so all lists are tried.
    """
    rooms = {queue: _room(queue) for queue in mq_all}
    if any(not rooms.get(queue) for queue in result):
        return ()
    needed = {rooms[queue] for queue in result}
    others = sorted(set(filter(None, rooms.values())) - needed)
    if members << len(others) > MOST_TRIED:
        return None
    cid_all = [str(number) for number in range(members)]
    queues = [MessageQueue(*queue) for queue in mq_all]
    wanted = {MessageQueue(*queue) for queue in result}
    return tuple(
        index
        for index, cid in enumerate(cid_all)
        if any(set(machine_room(chosen)(cid, queues, cid_all) or ()) == wanted for chosen in _choices(needed, others))
    )


def _room(queue: Queue) -> str:
    parts = java_split(queue[1])
    return parts[0] if len(parts) == 2 else ""


def _choices(needed: set[str], others: Sequence[str]) -> Iterator[set[str]]:
    for many in range(len(others) + 1):
        for more in combinations(others, many):
            yield needed | set(more)


TRIED = 3_000
"""Longest time in ms from a consumer's lines to another one's result after the same change."""


def strategies(group: Group) -> Iterator[Finding]:
    """Yield findings about topics whose consumers use different strategies."""
    for topic in group.views:
        own: dict[str, View] = {}
        for view in group.views[topic]:
            if view.strategy:
                own.setdefault(view.strategy, view)
        if len(own) < 2:
            continue
        every = [view for view in group.views[topic] if view.strategy]
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
            phrase(
                "strategies differ: {strategies}",
                strategies="; ".join(f"{name} in {', '.join(many)}" for name, many in users.items()),
            ),
            ("strategies-differ",),
            tuple(one.where for one in own.values()),
        )


def views(group: Group) -> Iterator[Finding]:
    """Yield findings about consumers that have not yet used a list that another one has used."""
    for topic in group.views:
        dated = [view for view in group.views[topic] if view.at is not None and view.cid_all >= 0]
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
    """Yield times at which another consumer's result contradicts the result ``last``.

    Each item is (from, to, ``last``, the other result), in ms. ``following``: time of the consumer's next result.
    """
    assert last.at is not None
    if following is None:
        return
    first = bisect_right(dated, last.at, key=lambda one: one.at or 0)
    after = dated[first : bisect_left(dated, following, key=lambda one: one.at or 0)]
    news = [other for other in after if other.member != last.member]
    for place, other in enumerate(news):
        until = news[place + 1].at if place + 1 < len(news) else following
        assert other.at is not None
        assert until is not None
        if (other.mq_all, other.cid_all) != (last.mq_all, last.cid_all) and not _fits(group, last, other):
            # A queue whose lock was denied is not added, so neither the table nor the log shows that the view was used.
            tried = group.tried.get(last.member, {}).get(last.topic, [])
            next_ = bisect_left(tried, other.at - TRIED)
            yield other.at, min([until, *tried[next_ : next_ + 1]]), last, other


def _fits(group: Group, last: View, other: View) -> bool:
    """Return True if a consumer with the result ``last`` could have used the other's lists.

    Then the consumer's table would not have changed, and nothing would have been logged.
    """
    if last.strategy and other.strategy and last.strategy != other.strategy:
        return True  # ``strategies`` reports this case
    queues = group.queues[last.topic]
    if len(queues) == other.mq_all:
        found = indexes(last.strategy, queues, other.cid_all, last.result)
        return found is None or bool(found)
    possible = sizes(last.strategy, other.mq_all, other.cid_all)
    return possible is None or len(last.result) in possible


def _told(group: Group, topic: str, member: Member, stale: list[tuple[int, int, View, View]]) -> Iterator[Finding]:
    """Yield one finding for each group of adjacent times with an outdated result."""
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
        live = _heard(group, logs[0], at, until, tolerance)
        for begin, end in live or [(at, until)]:
            yield Finding(
                What.VIEWS,
                Level.SEEN if live and group.sure_clocks(*logs) and not group.ordered else Level.POSSIBLE,
                group.name,
                topic,
                (group.told(member), group.told(other.member)),
                (Interval(None, begin, end),),
                both(
                    phrase(
                        "the first has its share for {sizes}, but the second saw {others}",
                        sizes=_sizes(mine),
                        others=_sizes(other),
                    ),
                    "" if live else phrase("; the first logs nothing in this time"),
                ),
                ("routes-differ",) if mine.mq_all != other.mq_all else ("lost-notification", "registries-differ"),
                (other.where, mine.where),
            )


def _heard(group: Group, log: str, at: int, until: int, tolerance: int) -> list[tuple[int, int]]:
    """Return the parts of an interval in which the log has lines.

    Return the whole interval if the log's silence is no evidence, because its consumers do not commit regularly.
    """
    parts = clipped(group.heard(log), at, until)
    if group.by_log[log].commits_at_all:
        return [one for one in parts if one[1] - one[0] > tolerance]
    return [(at, until)] if sum(end - begin for begin, end in parts) > tolerance else []


def _sizes(view: View) -> str:
    return f"mqAllSize={view.mq_all}, cidAllSize={view.cid_all}"


def unlike(group: Group) -> Iterator[Finding]:
    """Yield findings about results that the strategy gives to no consumer.

    Also yield results of several consumers that contradict each other.
    """
    for topic in group.views:
        queues = group.queues[topic]
        placed: dict[int, int] = {}
        for place, view in enumerate(group.views[topic]):
            if view.cid_all < 0 or not view.result:
                continue  # a consumer whose own id is not in cidAll correctly gets an empty result
            complete = len(queues) == view.mq_all
            found = indexes(view.strategy, queues, view.cid_all, view.result) if complete else None
            possible = sizes(view.strategy, view.mq_all, view.cid_all)
            if (complete and found == ()) or (possible is not None and len(view.result) not in possible):
                yield _alone(group, view)
            elif complete and (named := _named(group, view, queues)):
                yield named
            elif found and len(found) == 1:
                placed[place] = found[0]
        yield from _contradictions(group, topic, placed)


def _unlike(group: Group, views: Sequence[View], level: Level, words: str, *causes: str) -> Finding:
    """Return a finding about results of one topic; the last of ``views`` is the latest."""
    who, where = tuple(group.told(one.member) for one in views), tuple(one.where for one in views)
    at, topic = views[-1].at, views[-1].topic
    return Finding(What.UNLIKE, level, group.name, topic, who, (Interval(None, at, at),), words, causes, where)


def _alone(group: Group, view: View) -> Finding:
    words = phrase(
        "for {sizes}, {strategy} assigns no consumer these {number} queues: {queues}",
        sizes=_sizes(view),
        strategy=view.strategy,
        number=len(view.result),
        queues=_numbers(view.result),
    )
    return _unlike(group, [view], Level.SEEN, words, "sorted-differently", "mixed-clients")


def _named(group: Group, view: View, queues: tuple[Queue, ...]) -> Finding | None:
    """Return a finding if a result is wrong for a cidAll of just the consumers with logs."""
    if view.at is None or view.cid_all < 2:
        return None
    at = view.at
    ids = {client for client, log in group.members if clipped(group.by_log[log].active, at - ALIVE, at + ALIVE)}
    if len(ids) != view.cid_all or view.member[0] not in ids or any(one.startswith("(") for one in ids):
        return None
    own = by_names(view.strategy, queues, sorted(ids), view.member[0])
    if own is None or own == frozenset(view.result):
        return None
    words = phrase(
        "{strategy} by default assigns it other queues if cidAll is {ids}: {queues}, and not {others}",
        strategy=view.strategy,
        ids=", ".join(sorted(ids)),
        queues=_numbers(tuple(sorted(own))) or "none",
        others=_numbers(view.result),
    )
    return _unlike(group, [view], Level.POSSIBLE, words, "registries-differ", "mixed-clients")


def _numbers(queues: tuple[Queue, ...]) -> str:
    many = [f"{broker} {number}" for _, broker, number in queues[:8]]
    return ", ".join(many) + (f" and {len(queues) - 8} more" if len(queues) > 8 else "")


def _contradictions(group: Group, topic: str, placed: dict[int, int]) -> Iterator[Finding]:
    """Yield findings about two consumers' results that do not fit one sorted list of ids.

    Both results must have equal sizes at one time. ``placed``: index in cidAll of each result, by the result's position
    among the topic's results.
    """
    told = set()
    times: dict[Member, list[int]] = {}
    for view in group.views[topic]:
        if view.at is not None:
            times.setdefault(view.member, []).append(view.at)
    current: dict[tuple[int, int, str], dict[Member, tuple[View, int]]] = {}
    where: dict[Member, tuple[int, int, str]] = {}
    for place, later in enumerate(group.views[topic]):
        if later.at is None:
            continue
        if later.member in where:
            current[where.pop(later.member)].pop(later.member)
        if place not in placed:
            continue
        key, own = (later.mq_all, later.cid_all, later.strategy), placed[place]
        alike = current.setdefault(key, {})
        for member, (view, index) in alike.items():
            ids = sorted((member[0], later.member[0]), key=utf16_units)
            first, second = (index, own) if ids[0] == member[0] else (own, index)
            if member[0] == later.member[0] or first < second:
                continue
            pair = (*sorted((member, later.member)), first == second)
            until = min(_stands(group, one, times[one.member]) for one in (view, later))
            if (pair, Level.SEEN) in told or until - later.at <= group.tolerance(member[1], later.member[1]):
                continue
            level = Level.SEEN if _sure(group, view, later, until) else Level.POSSIBLE
            if (pair, level) not in told:
                told.add((pair, level))
                yield _contradiction(group, view, later, ids, (first, second), level)
        alike[later.member], where[later.member] = (later, own), key


def _sure(group: Group, view: View, later: View, until: int) -> bool:
    """Return True if the consumer of ``view`` certainly still saw that size of cidAll later.

    Both consumers must log lines in that time. A rebalance that changes nothing is not logged, so a consumer may have
    seen another size without logging it.
    """
    logs = view.member[1], later.member[1]
    assert view.at is not None
    assert later.at is not None
    live = intersection(*(clipped(group.heard(log), later.at, until) for log in logs))
    if not group.sure_clocks(*logs) or max((end - at for at, end in live), default=0) <= group.tolerance(*logs):
        return False
    every = group.views[later.topic]
    between = bisect_right(every, view.at, key=lambda one: one.at or 0)
    others = every[between : bisect_left(every, later.at, key=lambda one: one.at or 0)]
    sizes_seen = {(one.mq_all, one.cid_all): one for one in others if one.cid_all >= 0}
    sizes_seen.pop((later.mq_all, later.cid_all), None)
    return not any(_fits(group, view, one) for one in sizes_seen.values())


def _contradiction(
    group: Group, view: View, later: View, ids: list[str], places: tuple[int, int], level: Level
) -> Finding:
    first, second = places
    said = (
        phrase("both have index {index} of {number}", index=first, number=later.cid_all)
        if first == second
        else phrase(
            "{one} has index {index} and {other} index {second}, which contradicts the order of their ids",
            one=ids[0],
            index=first,
            other=ids[1],
            second=second,
        )
    )
    words = phrase("with equal sizes ({sizes}), {which}: their lists differ", sizes=_sizes(later), which=said)
    causes = ("registries-differ", "ids-sorted-differently", "sorted-differently")
    return _unlike(group, [view, later], level, words, *causes)


def _stands(group: Group, view: View, times: list[int]) -> int:
    """Return the time in ms until which a result applied.

    It ends with the consumer's next result, or with the end of its last ownership interval.
    """
    assert view.at is not None
    following = bisect_right(times, view.at)
    if following < len(times):
        return times[following]
    ends = (span.end for queue in view.result for span in group.spans.get(queue, ()) if span.member == view.member)
    return max(ends, default=0)
