"""Moves in a change of several consumers: at once, and one event after the other.

Most strategies depend only on the positions of the ids in the sort order. For them, the worst, the least and the
average number over all positions are computed exactly, without trying all positions:

- At once, the queues that stay are a sum over pairs of positions, before and after, of the consumers that stay. The
  pairs ascend, so the largest and the smallest sum are found by dynamic programming, and the average by the expected
  number of consumers with each pair.
- One after the other, each event is a join, or a join in reverse, of which the numbers for each position are known.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import comb

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.proofs.movement.lemmas import changed_hands
from rebalance_proofs.report.moves.change import Change, by_index, old_places

PATTERNS = 10
"""Largest number of consumers for which all patterns of restarted consumers are tried."""
Form = Callable[[int, int], list[int]]


class How(StrEnum):
    """How far a worst and a least number are certain."""

    EXACT = "exact"
    BOUND = "bound"
    """No position can exceed the numbers, but they may not be reached."""
    FOUND = "heuristic"
    """The numbers were found, but others may exceed them."""


@dataclass(frozen=True)
class Range:
    """Numbers of queues that change owners, over all positions of the ids."""

    least: int
    average: Fraction
    worst: int
    how: How = How.EXACT


@dataclass(frozen=True)
class Planned:
    """One event of a plan, with positions in the sorted ids; without, the topic grows."""

    leaves: int | None
    """Position of the consumer that leaves, among those in the group at that time."""
    joins: int | None
    """Position of the consumer that joins, among those in the group after that."""
    size: int
    """Number of consumers after the event."""
    moves: int


def overlap(before: Sequence[int], after: Sequence[int], places: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return the number of old queues for each pair of owners, before and after.

    ``places``: positions of the old queues after the change.
    """
    found: dict[tuple[int, int], int] = {}
    for old, new in enumerate(places):
        pair = before[old], after[new]
        found[pair] = found.get(pair, 0) + 1
    return found


def at_once(strategy: Strategy, change: Change) -> Range:
    """Return the moves if all events happen before the first rebalance, over all positions."""
    form = by_index(strategy)
    assert form
    places = old_places(strategy, change)
    pairs = overlap(form(change.queues, change.before), form(change.grown or change.queues, change.after), places)
    sizes = change.before, change.after, change.stay
    most, least = _extremes(pairs, *sizes)
    average = sum((number * _expected(*pair, *sizes) for pair, number in pairs.items()), Fraction(0))
    return Range(change.queues - most, change.queues - average, change.queues - least)


def _extremes(pairs: dict[tuple[int, int], int], before: int, after: int, stay: int) -> tuple[int, int]:
    """Return the largest and the smallest number of queues that stay, over all ascending pairs of positions."""
    # Row a of a table has, for the first b positions after the change, the best sum with j consumers among the first a.
    far = sum(pairs.values()) + 1
    worst = best = [[0] * (after + 1) for _ in range(before + 1)]
    for j in range(1, stay + 1):
        last_best, last_worst = best, worst
        best = [[-far] * (after + 1) for _ in range(before + 1)]
        worst = [[far] * (after + 1) for _ in range(before + 1)]
        # The rest of the consumers must find positions after these.
        for a in range(j, before - (stay - j) + 1):
            for b in range(j, after - (stay - j) + 1):
                number = pairs.get((a - 1, b - 1), 0)
                best[a][b] = max(best[a - 1][b], best[a][b - 1], last_best[a - 1][b - 1] + number)
                worst[a][b] = min(worst[a - 1][b], worst[a][b - 1], last_worst[a - 1][b - 1] + number)
    return best[before][after], worst[before][after]


def _expected(a: int, b: int, before: int, after: int, stay: int) -> Fraction:
    """Return the expected number of staying consumers with these positions, before and after.

    All orders of the ids of all consumers are equally likely. Of the others, ``s`` staying ones sort before such a
    consumer, together with ``a - s`` leaving and ``b - s`` joining ones.
    """
    leaves, joins = before - stay, after - stay
    others = stay - 1 + leaves + joins
    found = Fraction(0)
    for s in range(max(0, a - leaves, b - joins), min(a, b, stay - 1) + 1):
        ways = comb(stay - 1, s) * comb(leaves, a - s) * comb(joins, b - s)
        found += Fraction(ways, (others + 1) * comb(others, a + b - s))
    return stay * found


@lru_cache(maxsize=1 << 10)
def join_costs(strategy: Strategy, queues: int, others: int) -> tuple[int, ...]:
    """Return the moves when one consumer joins ``others``, for each of its positions.

    A leave moves as many. For AVG by its proved closed form; for other strategies by the overlaps of the two divisions.
    """
    if strategy is AVERAGELY:
        return tuple(changed_hands(queues, others, place) for place in range(others + 1))
    if strategy is AVERAGELY_BY_CIRCLE:
        return tuple(queues - circle_stay(queues, others, place) for place in range(others + 1))
    form = by_index(strategy)
    assert form
    pairs = overlap(form(queues, others), form(queues, others + 1), range(queues))
    stays = sum(pairs.get((index, index + 1), 0) for index in range(others))
    found = [queues - stays]
    for index in range(others):
        stays += pairs.get((index, index), 0) - pairs.get((index, index + 1), 0)
        found.append(queues - stays)
    return tuple(found)


def circle_stay(queues: int, others: int, place: int) -> int:
    """Return the number of queues that stay under AVG_BY_CIRCLE, in closed form.

    By ``movement.circle.kept``, position p stays if r < j or r >= c * c + j, for r = p mod c(c + 1).
    """
    period = others * (others + 1)
    whole, rest = divmod(queues, period)
    return whole * others + min(rest, place) + max(0, rest - others * others - place)


def grow_cost(strategy: Strategy, change: Change, consumers: int) -> int:
    """Return the old queues that change owners when the topic grows."""
    form = by_index(strategy)
    assert form
    before, after = form(change.queues, consumers), form(change.grown, consumers)
    return sum(before[old] != after[new] for old, new in enumerate(old_places(strategy, change)))


def one_by_one(strategy: Strategy, change: Change) -> Range:
    """Return the moves if a rebalance follows each event: leaves, then joins, or restarts.

    The topic may grow before any of these events, or after them.
    """
    found = [
        (grows + least, mean + grows, grows + worst)
        for grows, costs in _each(strategy, change)
        for least, mean, worst in [_sums(change, costs)]
    ]
    average = sum((mean for _, mean, _ in found), Fraction(0)) / len(found)
    how = How.EXACT if not change.restart or change.before <= PATTERNS else How.BOUND
    return Range(min(one[0] for one in found), average, max(one[2] for one in found), how)


def _each(strategy: Strategy, change: Change) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Yield, for each time of the growth, its moves, and the moves of a join or leave at each position, by event."""
    others, sizes = _others(change), _sizes(change)
    for when in range(len(others) + 1) if change.grown else (len(others) + 1,):
        before = min(when, len(others))
        queues = [change.queues] * before + [change.grown] * (len(others) - before)
        grows = grow_cost(strategy, change, sizes[when]) if change.grown else 0
        yield grows, [join_costs(strategy, count, few) for count, few in zip(queues, others, strict=True)]


def _others(change: Change) -> list[int]:
    """Return the number of other consumers for each leave, join or restart, in this order."""
    if change.restart:
        return [change.before - 1] * change.restart
    left = change.before - change.leave
    return [*range(change.before - 1, left - 1, -1), *range(left, left + change.join)]


def _sizes(change: Change) -> list[int]:
    """Return the number of consumers before the first event, and after each of them."""
    if change.restart:
        return [change.before] * (change.restart + 1)
    left = change.before - change.leave
    return [*range(change.before, left - 1, -1), *range(left + 1, left + change.join + 1)]


def _sums(change: Change, costs: Sequence[Sequence[int]]) -> tuple[int, Fraction, int]:
    """Return the least, the average and the largest sum over all positions."""
    times = 2 if change.restart else 1
    mean = times * sum((Fraction(sum(one), len(one)) for one in costs), Fraction(0))
    if change.restart and change.before <= PATTERNS:
        least, worst = (sum(one.moves for one in _patterns(costs, change.before, best)) for best in (min, max))
        return least, mean, worst
    return times * sum(map(min, costs)), mean, times * sum(map(max, costs))


def planned(strategy: Strategy, change: Change) -> tuple[list[Planned], How]:
    """Return events and positions with the fewest moves, and whether no others move fewer.

    With many restarts, some positions are tried.
    """
    found: list[list[Planned]] = []
    for when, (grows, costs) in enumerate(_each(strategy, change)):
        plan = _cheapest(change, costs)
        if change.grown:
            plan.insert(when, Planned(None, None, _sizes(change)[when], grows))
        found.append(plan)
    how = How.EXACT if not change.restart or change.before <= PATTERNS else How.FOUND
    return min(found, key=lambda plan: sum(one.moves for one in plan)), how


def _cheapest(change: Change, costs: Sequence[Sequence[int]]) -> list[Planned]:
    if change.restart:
        if change.before <= PATTERNS:
            return _patterns(costs, change.before, min)
        tries = (_same_places(costs, change.before), _greedy(costs, change.before))
        return min(tries, key=lambda plan: sum(one.moves for one in plan))
    sizes, found = _sizes(change), []
    for event, one in enumerate(costs):
        at, leaves = one.index(min(one)), event < change.leave
        found.append(Planned(at if leaves else None, None if leaves else at, sizes[event + 1], one[at]))
    return found


def _same_places(costs: Sequence[Sequence[int]], consumers: int) -> list[Planned]:
    """Return restarts in which each consumer gets an id that sorts where its old one did."""
    cheapest = sorted(range(consumers), key=costs[0].__getitem__)[: len(costs)]
    return [Planned(at, at, consumers, 2 * cost[at]) for cost, at in zip(costs, sorted(cheapest), strict=True)]


def _greedy(costs: Sequence[Sequence[int]], consumers: int) -> list[Planned]:
    """Return restarts in which each leave and each join is the cheapest one at its time."""
    restarted, found = [False] * consumers, []
    for cost in costs:
        gone = min((place for place, done in enumerate(restarted) if not done), key=cost.__getitem__)
        del restarted[gone]
        joins = cost.index(min(cost))
        restarted.insert(joins, True)
        found.append(Planned(gone, joins, consumers, cost[gone] + cost[joins]))
    return found


def _patterns(costs: Sequence[Sequence[int]], consumers: int, best: Callable[..., int]) -> list[Planned]:
    """Return the best sequence of restarts: a consumer leaves that has not restarted, and joins at any position.

    ``costs``: for each restart, the moves of a join at each position. A pattern is a tuple of flags, one for each
    position: whether that consumer has restarted.
    """
    Way = tuple[int, tuple[tuple[int, int], ...]]
    reached: dict[tuple[bool, ...], Way] = {(False,) * consumers: (0, ())}
    for cost in costs:
        left: dict[tuple[bool, ...], tuple[int, tuple[tuple[int, int], ...], int]] = {}
        for pattern, (total, way) in reached.items():
            for place, restarted in enumerate(pattern):
                if not restarted:
                    without, sum_ = pattern[:place] + pattern[place + 1 :], total + cost[place]
                    if without not in left or best(left[without][0], sum_) != left[without][0]:
                        left[without] = sum_, way, place
        following: dict[tuple[bool, ...], Way] = {}
        for pattern, (total, way, gone) in left.items():
            for place in range(consumers):
                joined, sum_ = (*pattern[:place], True, *pattern[place:]), total + cost[place]
                if joined not in following or best(following[joined][0], sum_) != following[joined][0]:
                    following[joined] = sum_, (*way, (gone, place))
        reached = following
    total = best(one[0] for one in reached.values())
    way = next(one[1] for one in reached.values() if one[0] == total)
    return [Planned(a, b, consumers, cost[a] + cost[b]) for cost, (a, b) in zip(costs, way, strict=True)]
