"""Members that disagree: by the lists that each of them was given, and by what its strategy made of them."""

from collections.abc import Iterator

from benchmarks.audit_truth.happened import Happened, Saw, without
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.queues import utf16_units
from rebalance_proofs.recorded.audit.log import Times, union
from rebalance_proofs.recorded.cluster.names import queue

STRATEGIES = {"AVG": AVERAGELY, "AVG_BY_CIRCLE": AVERAGELY_BY_CIRCLE}
Held = tuple[Saw, int, int]
"""What a member saw last, from when to when."""


def differing(really: Happened) -> Iterator[tuple[str, str, str, int, int, bool]]:
    """(group, topic, who, from, to, whether its share is another one) of a member that ran, and had not taken up what
    another one had already."""
    for group, topic, every in _held(really):
        for who, own in every.items():
            times: dict[bool, Times] = {True: [], False: []}
            for mine, at, until in own:
                for other, begin, end in (one for whose, held in every.items() if whose != who for one in held):
                    if other.at < at or (other.mq_all == mine.mq_all and other.cid_all == mine.cid_all):
                        continue
                    if other.strategy == mine.strategy and max(at, begin) < min(until, end):
                        told = _sizes(mine) != _sizes(other) and _moves(mine, other)
                        times[told].append((max(at, begin), min(until, end)))
            for told, found in times.items():
                for at, until in without(union(found), really.still.get(who, [])):
                    yield group, topic, who, at, until, told


def _sizes(saw: Saw) -> tuple[int, int]:
    return len(saw.mq_all), len(saw.cid_all)


def _moves(mine: Saw, other: Saw) -> bool:
    """Whether the other's lists give this member another share than it has."""
    queues = tuple(queue(one) for one in other.mq_all)
    share = STRATEGIES[mine.strategy].allocate(mine.client, queues, other.cid_all) or []
    return set(share) != {queue(one) for one in mine.result}


def divided(really: Happened) -> Iterator[tuple[str, str, frozenset[str], int, int]]:
    """(group, topic, who, from, to) of members that divided a topic by different strategies at one time."""
    for group, topic, every in _held(really):
        times: Times = []
        members: set[str] = set()
        for who, own in every.items():
            for other, held in every.items():
                for mine, at, until in own:
                    for its, begin, end in held:
                        if mine.strategy != its.strategy and max(at, begin) < min(until, end) and _matters(mine, its):
                            times.append((max(at, begin), min(until, end)))
                            members |= {who, other}
        for at, until in union(times):
            yield group, topic, frozenset(members), at, until


def _matters(mine: Saw, its: Saw) -> bool:
    """Whether the other strategy gives the member another share: of one queue, as a retry topic has, it does not."""
    return _moves(mine._replace(strategy=its.strategy), mine)


def unlike(really: Happened) -> Iterator[tuple[str, str, frozenset[str], int, int, bool]]:
    """(group, topic, who, from, to, whether shares show it): shares that are not the strategy's for the member's own
    lists; and two members with lists of equal sizes that differ."""
    for group, topic, every in _held(really):
        held = [(who, *one) for who, own in every.items() for one in own]
        for place, (who, mine, at, until) in enumerate(held):
            queues = tuple(queue(one) for one in mine.mq_all)
            share = STRATEGIES[mine.strategy].allocate(mine.client, queues, mine.cid_all) or []
            if share != [queue(one) for one in mine.result]:
                # Only a share that no place has shows it; one that another place has shows two owners.
                places = (STRATEGIES[mine.strategy].allocate(one, queues, mine.cid_all) for one in mine.cid_all)
                shown = not any({*map(queue, mine.result)} == set(one or []) for one in places)
                yield group, topic, frozenset({who}), at, at, shown
            for whose, its, begin, end in held[:place]:
                if whose != who and max(at, begin) < min(until, end) and _clash(mine, its):
                    times = without([(max(at, begin), min(until, end))], really.still.get(who, []))
                    for times_at, times_until in without(times, really.still.get(whose, [])):
                        yield group, topic, frozenset({who, whose}), times_at, times_until, True


def _clash(mine: Saw, its: Saw) -> bool:
    """Whether two members with equal sizes have places that those in one sorted list cannot have."""
    sizes = [(len(one.mq_all), len(one.cid_all), one.strategy) for one in (mine, its)]
    if sizes[0] != sizes[1] or mine.client == its.client or not mine.result or not its.result:
        return False
    places = [one.cid_all.index(one.client) if one.client in one.cid_all else -1 for one in (mine, its)]
    in_order = utf16_units(mine.client) < utf16_units(its.client)
    return -1 not in places and (places[0] >= places[1] if in_order else places[1] >= places[0])


def _held(really: Happened) -> Iterator[tuple[str, str, dict[str, list[Held]]]]:
    """(group, topic, what each member saw and until when)."""
    by_topic: dict[tuple[str, str], dict[str, list[Saw]]] = {}
    for one in sorted(really.saw, key=lambda saw: saw.at):
        if one.who in really.groups:
            by_topic.setdefault((really.groups[one.who], one.topic), {}).setdefault(one.who, []).append(one)
    for (group, topic), every in sorted(by_topic.items()):
        yield (
            group,
            topic,
            {
                who: [
                    (one, one.at, own[place + 1].at if place + 1 < len(own) else really.ran[who][1])
                    for place, one in enumerate(own)
                ]
                for who, own in every.items()
            },
        )
