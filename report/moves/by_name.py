"""Moves for known ids, and for CONSISTENT_HASH, which depends on the ids.

The strategy divides the queues for each set of ids on the way. With up to eight events, all orders are tried by dynamic
programming over the sets of events that have happened.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, permutations
from math import ceil, comb, factorial, floor
from random import Random
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import utf16_units
from rebalance_proofs.report.moves.change import Change, Named, Step, old_places, owners_by_id, topic
from rebalance_proofs.report.moves.several import How, Range

EXACT = 8
"""Largest number of events for which all orders are tried."""
TRIED, SOME = 200_000, 150_000
"""Largest numbers of queues times sets of ids: if all choices of ids are tried, and if some are."""
SAMPLES, WIDE = 60, 32
"""Largest number of choices if some are tried, and of sets of events for each of these."""
BEAM = 2_000_000
"""Largest number of queues times events that are tried to find a good order of many events."""
SEED = 53
"""Seed of the choices that are tried, so that answers are repeatable."""


@dataclass(frozen=True)
class Order:
    """Events in an order, with the moves of each."""

    steps: tuple[Step, ...]
    moves: tuple[int, ...]
    how: How

    @property
    def total(self) -> int:
        """Return the sum of the moves of all events."""
        return sum(self.moves)


class Walk:
    """The ways from the group before the change to the one after it, one event after the other."""

    def __init__(self, strategy: Strategy, change: Change, named: Named, *, leaves_first: bool = False) -> None:
        self._strategy, self._change, self._named = strategy, change, named
        self._first = [step for step in named.steps if step.leaves and not step.joins] if leaves_first else []
        self._small = topic(strategy, change.queues, change.brokers)
        self._large = topic(strategy, change.grown or change.queues, change.brokers)
        self._places = old_places(strategy, change)
        self._owned = cache(self._owners)

    def _owners(self, ids: frozenset[str], grown: bool) -> tuple[str | None, ...]:
        return owners_by_id(self._strategy, self._large if grown else self._small, sorted(ids, key=utf16_units))

    def _state(self, done: Collection[Step]) -> tuple[frozenset[str], bool]:
        ids = {*self._named.before, *(step.joins for step in done if step.joins)}
        return frozenset(ids - {step.leaves for step in done if step.leaves}), any(step.grows for step in done)

    def cost(self, done: Collection[Step], step: Step) -> int:
        """Return the moves of an event after others; a restart is a leave, then a join."""
        before = self._state(done)
        after = self._state([*done, step])
        if step.leaves and step.joins:
            between = before[0] - {step.leaves}, before[1]
            return self._moved(before, between) + self._moved(between, after)
        return self._moved(before, after)

    def at_once(self) -> int:
        """Return the moves if all events happen before the first rebalance."""
        return self._moved(self._state(()), self._state(self._named.steps))

    def _moved(self, before: tuple[frozenset[str], bool], after: tuple[frozenset[str], bool]) -> int:
        """Return the number of queues that had an owner before and have another one after."""
        had, has = self._owned(*before), self._owned(*after)
        if before[1] != after[1]:
            has = tuple(has[place] for place in self._places)
        return sum(one is not None and one != other for one, other in zip(had, has, strict=True))

    def order(self, best: Callable[..., Any]) -> Order:
        """Return the order with the fewest (``best`` is ``min``) or the most moves (``max``)."""
        if len(self._named.steps) <= EXACT:
            return self._all(best)
        found: Order = best([self._beam(best), *self._some_orders], key=lambda one: one.total)
        return found

    def _all(self, best: Callable[..., object]) -> Order:
        steps = self._named.steps
        reached: dict[frozenset[Step], Order] = {frozenset(): Order((), (), How.EXACT)}
        for _ in steps:
            reached = self._longer(reached, best, How.EXACT)
        return next(iter(reached.values()))

    def _longer(
        self, reached: dict[frozenset[Step], Order], best: Callable[..., object], how: How
    ) -> dict[frozenset[Step], Order]:
        """Return the best order to each set of events that has one event more."""
        following: dict[frozenset[Step], Order] = {}
        for done, order in reached.items():
            for step in self._named.steps:
                if step not in done and self._possible(done, step):
                    longer = Order((*order.steps, step), (*order.moves, self.cost(done, step)), how)
                    known = following.get(done | {step})
                    if known is None or best(known.total, longer.total) != known.total:
                        following[done | {step}] = longer
        return following

    def _possible(self, done: Collection[Step], step: Step) -> bool:
        """Return whether some consumer stays in the group during the event, and leaves come first if they have to."""
        if step.joins and not step.leaves and any(one not in done for one in self._first):
            return False
        return not step.leaves or len(self._state(done)[0]) > 1

    def _beam(self, best: Callable[..., object]) -> Order:
        """Return a good order: after each event, only the best ones so far are continued; another may be better."""
        steps = self._named.steps
        width = max(1, BEAM // (len(steps) ** 2 * len(self._large)))
        reached: dict[frozenset[Step], Order] = {frozenset(): Order((), (), How.FOUND)}
        for _ in steps:
            following = self._longer(reached, best, How.FOUND)
            some = sorted(following, key=lambda done: following[done].total, reverse=best is max)[:width]
            reached = {done: following[done] for done in some}
        return next(iter(reached.values()))

    def average(self) -> Fraction:
        """Return the average moves over all orders; with many events, over some orders.

        In each of them, some consumer stays.
        """
        steps = self._named.steps
        if len(steps) > EXACT:
            return Fraction(sum(one.total for one in self._some_orders), SAMPLES)
        # Set of events that have happened -> the number of orders, and the sum of their moves.
        found: dict[frozenset[Step], tuple[int, int]] = {frozenset(): (1, 0)}
        for _ in steps:
            following: dict[frozenset[Step], tuple[int, int]] = {}
            for done, (orders, total) in found.items():
                for step in steps:
                    if step not in done and self._possible(done, step):
                        more, sum_ = following.get(done | {step}, (0, 0))
                        following[done | {step}] = more + orders, sum_ + total + orders * self.cost(done, step)
            found = following
        orders, total = found[frozenset(steps)]
        return Fraction(total, orders)

    @cached_property
    def _some_orders(self) -> list[Order]:
        """Random orders, for a change with many events."""
        return [self.any_order(Random(SEED + number)) for number in range(SAMPLES)]

    def any_order(self, choose: Random) -> Order:
        """Return a random order."""
        done: list[Step] = []
        moves: list[int] = []
        waiting = list(self._named.steps)
        choose.shuffle(waiting)
        while waiting:
            at = next(place for place, one in enumerate(waiting) if self._possible(done, one))
            step = waiting.pop(at)
            moves.append(self.cost(done, step))
            done.append(step)
        return Order(tuple(done), tuple(moves), How.FOUND)

    def shares(self) -> list[int]:
        """Return the numbers of queues of all consumers after the change."""
        ids, grown = self._state(self._named.steps)
        found = self._owned(ids, grown)
        return [found.count(one) for one in ids]


@dataclass(frozen=True)
class ByName:
    """Moves and shares that depend on ids."""

    once: Range
    single: Range
    shares: tuple[int, int]
    """The smallest and the largest share after the change."""
    plan: Order


def given_ids(strategy: Strategy, change: Change, named: Named) -> ByName:
    """Return the moves at once, and one by one over all orders of the events, for known ids."""
    walk = Walk(strategy, change, named)
    number, shares = walk.at_once(), walk.shares()
    least, worst = walk.order(min), walk.order(max)
    single = Range(least.total, walk.average(), worst.total, least.how)
    return ByName(Range(number, Fraction(number), number), single, (min(shares), max(shares)), least)


def ids_of(change: Change) -> tuple[str, ...]:
    """Return ids for all consumers before and after a change: ``c0``, ``c1``, ..."""
    number = change.before + change.join + change.restart
    return tuple(f"c{place:0{len(str(number - 1))}}" for place in range(number))


def over_ids(strategy: Strategy, change: Change) -> ByName:
    """Return the moves under CONSISTENT_HASH, over the choice of the ids.

    Each choice divides ``ids_of`` into ids that stay, leave and join. All choices are tried if they are few.
    """
    choices, exact = _choices(change)
    wide = change.events > EXACT or (not exact and 2**change.events > WIDE)
    once, orders, shares = [], [], []
    for number, named in enumerate(choices):
        walk = Walk(strategy, change, named, leaves_first=True)
        once.append(walk.at_once())
        shares += walk.shares()
        orders += [walk.any_order(Random(SEED + number))] if wide else [walk.order(min), walk.order(max)]
    how = How.EXACT if exact else How.FOUND
    least, worst = (best(orders, key=lambda one: one.total) for best in (min, max))
    return ByName(
        _around(min(once), average_at_once(change), max(once), how if change.stay else How.EXACT),
        _around(least.total, average_one_by_one(change), worst.total, how),
        (min(shares), max(shares)),
        Order(least.steps, least.moves, how),
    )


def _around(least: int, average: Fraction, most: int, how: How) -> Range:
    """Return the range; if only some choices were tried, the exact average bounds both ends."""
    return Range(min(least, floor(average)), average, max(most, ceil(average)), how)


def average_at_once(change: Change) -> Fraction:
    """Return the average moves at once under consistent hashing, over all choices of the ids.

    Of all ids before and after, the one that comes first on the ring behind a queue is each of them equally likely. The
    queue stays exactly if that id stays: otherwise it had the queue, or gets it.
    """
    every = change.before + change.join + change.restart
    return Fraction(change.queues * (every - change.stay), every)


def average_one_by_one(change: Change) -> Fraction:
    """Return the average moves one by one under consistent hashing.

    Each event moves one consumer's share.

    The leaves come first. The growth of a topic moves no old queue; it is equally likely before each event and last.
    """
    sizes = [change.before - place for place in range(change.leave)]
    sizes += [change.before - change.leave + 1 + place for place in range(change.join)]
    shares = [Fraction(1, size) for size in sizes] + [Fraction(2, change.before)] * change.restart
    total = Fraction(0)
    for event, share in enumerate(shares):
        later = Fraction(event + 1, len(shares) + 1) if change.grown else Fraction(0)
        total += share * (change.queues + later * (change.grown - change.queues))
    return total


def _choices(change: Change) -> tuple[list[Named], bool]:
    """Return choices of ids, and whether these are all."""
    ids = ids_of(change)
    joining, leaving = change.join + change.restart, change.leave + change.restart
    ways = comb(len(ids), joining) * comb(joining, change.restart) * factorial(change.restart)
    ways *= comb(change.before, leaving) * comb(leaving, change.restart)
    sets, queues = 2 ** min(change.events, EXACT), change.grown or change.queues
    if change.events <= EXACT and ways * sets * queues <= TRIED:
        return [_named(*one, change) for one in _all_choices(ids, change)], True
    choose = Random(SEED)
    each = sets if sets <= WIDE else 2 * change.events
    found = []
    for _ in range(max(2, min(SAMPLES, SOME // (queues * each)))):
        new = choose.sample(ids, joining)
        left = choose.sample([one for one in ids if one not in new], leaving)
        found.append(_named(new, left, change))
    return found, False


def _all_choices(ids: Sequence[str], change: Change) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield all ids that join and that leave; those of restarted consumers come first, in all pairs."""
    for again in permutations(ids, change.restart):
        for new in combinations([one for one in ids if one not in again], change.join):
            old = [one for one in ids if one not in again and one not in new]
            for gone in combinations(old, change.restart):
                for left in combinations([one for one in old if one not in gone], change.leave):
                    yield (*again, *new), (*gone, *left)


def _named(new: Sequence[str], left: Sequence[str], change: Change) -> Named:
    old = tuple(one for one in ids_of(change) if one not in new)
    pairs = zip(left[: change.restart], new[: change.restart], strict=True)
    steps = [Step(leaves=one, joins=other) for one, other in pairs]
    steps += [Step(leaves=one) for one in left[change.restart :]]
    steps += [Step(joins=one) for one in new[change.restart :]]
    steps += [Step(grows=True)] * bool(change.grown)
    return Named(old, tuple(steps))
