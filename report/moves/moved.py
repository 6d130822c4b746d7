"""Count the queues that change owners: by a proved formula, or else by running the strategy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.strategy import Strategy, queues_for
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.model.topics.kafka_round_robin import KAFKA_ROUND_ROBIN
from rebalance_proofs.proofs.growth.appended import most
from rebalance_proofs.proofs.movement.circle import stay
from rebalance_proofs.proofs.movement.lemmas import changed_hands
from rebalance_proofs.report.allocation.owners import Owners
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.index.entries import mark_of_strategy, together
from rebalance_proofs.report.moves.by_name import Order, given_ids, over_ids
from rebalance_proofs.report.moves.change import Change, Event, Group, by_index, owners
from rebalance_proofs.report.moves.several import How, Planned, Range, at_once, one_by_one, planned

KAFKA = (KAFKA_RANGE, KAFKA_ROUND_ROBIN)
"""Kafka's strategies, for comparison."""
SHARES = "allocation.{}.shares"


@dataclass(frozen=True)
class Moved:
    """Number of queues that change owners when one consumer joins or leaves, or when a topic grows."""

    place: int | None
    """Index of the joining or leaving consumer among all sorted ids; None if the topic grows."""
    hands: int
    """Number of queues that had an owner before and have another one afterwards."""
    own: int
    """Of ``hands``, the number that the new consumer gets, or that the leaving consumer had."""
    needed: int
    """The fewest queues that have to change owners for balanced shares.

    On a join: the least share among c + 1 consumers, q div (c + 1). On a leave: the queues of the leaving consumer,
    which need a new owner under any strategy. On growth: none, since the consumers with the fewest queues could get
    the new ones.
    """

    @property
    def between(self) -> int:
        """Return the number of queues that move between two consumers that are in the group before and after."""
        return self.hands - self.own


@dataclass(frozen=True)
class Moves:
    """Number of queues that change owners under one strategy, for each position of the consumer."""

    strategy: Strategy
    claims: tuple[str, ...]
    """Ids of claims that prove all numbers; empty if the numbers were counted."""
    places: tuple[Moved, ...]

    @property
    def rocketmq(self) -> bool:
        """True for a strategy of RocketMQ, false for one of Kafka."""
        return self.strategy not in KAFKA

    @property
    def least(self) -> Moved:
        """Return the position with the fewest moves; of several, the first in sort order."""
        return min(self.places, key=lambda moved: moved.hands)

    @property
    def worst(self) -> Moved:
        """Return the position with the most moves; of several, the first in sort order."""
        return max(self.places, key=lambda moved: moved.hands)

    @property
    def mark(self) -> Mark:
        """Return the mark of the claims; for counted numbers, the mark of the strategy's code."""
        return together(self.claims) if self.claims else mark_of_strategy(self.strategy.name)

    @property
    def basis(self) -> str:
        """Return the evidence for the numbers: ``proved, observed: movement.avg.moved``, ``counted, observed``."""
        return f"proved, {self.mark}: {', '.join(self.claims)}" if self.claims else f"counted, {self.mark}"


def moves(strategy: Strategy, group: Group, places: Sequence[int]) -> Moves:
    """Return the moves under the strategy.

    ``places``: positions of the joining or leaving consumer.
    """
    if group.event is Event.GROW:
        claim, found = _proved_growth(strategy, group)
        hands = found if claim else _grown(strategy, group)
        return Moves(strategy, (claim,) if claim else (), (Moved(None, hands, 0, 0),))
    form = _form(strategy)
    if form is None:
        return Moves(strategy, (), tuple(counted(strategy, group, place) for place in places))
    claim, formula = form

    def proved(place: int) -> Moved:
        least, longer = divmod(group.queues, group.fewer + 1)
        own = least + (place < longer)
        return _moved(group, place, formula(group.queues, group.fewer, place), own)

    return Moves(strategy, (claim, SHARES.format(strategy.name)), tuple(map(proved, places)))


def _form(strategy: Strategy) -> tuple[str, Callable[[int, int, int], int]] | None:
    """Return (claim id, ``form(queues, fewer, place)``) of a proved formula for a join's moves.

    ``form`` returns the number of moved queues; ``fewer`` is the number of other consumers. None without a formula.
    """
    if strategy is AVERAGELY:
        return "movement.avg.moved", changed_hands
    if strategy is AVERAGELY_BY_CIRCLE:
        return "movement.circle.kept", lambda q, c, place: q - stay(q, c, place)
    return None


def _proved_growth(strategy: Strategy, group: Group) -> tuple[str, int]:
    """Return (claim id, number of moves) for a topic that grows.

    The id is empty if no claim gives the number.
    """
    new, c = group.grown - group.queues, group.consumers
    if strategy is CONSISTENT_HASH:
        return "growth.hash.steady", 0
    if group.brokers == 1 and strategy is AVERAGELY_BY_CIRCLE:
        return "growth.circle.turned", 0
    if group.brokers == 1 and strategy is AVERAGELY and new * (c - 1) <= group.queues:
        return "growth.avg.appended", most(group.queues, c, new)
    return "", 0


def counted(strategy: Strategy, group: Group, place: int) -> Moved:
    """Count moves by running the strategy with all consumers, and without the one at ``place``."""
    queues = _queues(strategy, group.queues, group.brokers)
    others = tuple(client_id for at, client_id in enumerate(group.ids) if at != place)
    whole = [None if owner is None else group.ids[owner] for owner in _owners(strategy, queues, group.ids)]
    without = [None if owner is None else others[owner] for owner in _owners(strategy, queues, others)]
    before, after = (without, whole) if group.event is Event.JOIN else (whole, without)
    differs = [had is not None and had != has for had, has in zip(before, after, strict=True)]
    own = sum(moved and owner == group.ids[place] for moved, owner in zip(differs, whole, strict=True))
    return _moved(group, place, sum(differs), own)


def _moved(group: Group, place: int, hands: int, own: int) -> Moved:
    needed = group.queues // (group.fewer + 1) if group.event is Event.JOIN else own
    return Moved(place, hands, own, needed)


def _grown(strategy: Strategy, group: Group) -> int:
    small, large = (_queues(strategy, count, group.brokers) for count in (group.queues, group.grown))
    had = dict(zip(small, _owners(strategy, small, group.ids), strict=True))
    has = zip(large, _owners(strategy, large, group.ids), strict=True)
    return sum(queue in had and had[queue] is not None and had[queue] != owner for queue, owner in has)


def _queues(strategy: Strategy, count: int, brokers: int) -> tuple[MessageQueue, ...]:
    """Return the topic's queues in the clients' sort order."""
    if brokers == 1:
        return queues_for((strategy,), count)
    names = [f"broker-{number:02}" for number in range(brokers)]
    return tuple(queue for name in names for queue in one_broker(count // brokers, broker_name=name))


@lru_cache(maxsize=64)
def _owners(strategy: Strategy, queues: tuple[MessageQueue, ...], ids: tuple[str, ...]) -> Owners:
    return owners(strategy, queues, ids)


# The moves of a change under each strategy, with their evidence and a plan.

STEPS = {AVERAGELY.name: ("movement.avg.moved",), AVERAGELY_BY_CIRCLE.name: ("movement.circle.kept",)}
"""Strategy -> claims that prove the moves of each single join or leave."""


@dataclass(frozen=True)
class Changed:
    """Moves under one strategy."""

    strategy: Strategy
    once: Range
    """Moves if all events happen before the first rebalance."""
    single: Range
    """Moves if each event is followed by a rebalance."""
    shares: tuple[int, int]
    """The smallest and the largest share after the change."""
    plan: tuple[Planned, ...] | Order
    """Events with the fewest moves, one by one: positions, or given ids."""
    plan_how: How
    steps: tuple[str, ...]
    """Ids of claims that prove the moves of each single event; empty if they are computed."""

    @property
    def rocketmq(self) -> bool:
        """True for a strategy of RocketMQ, false for one of Kafka."""
        return self.strategy not in KAFKA

    @property
    def level(self) -> bool:
        """True if no consumer has two queues more than another after the change."""
        return self.shares[1] - self.shares[0] <= 1

    @property
    def mark(self) -> Mark:
        """Return the conformance mark of the strategy's code."""
        return mark_of_strategy(self.strategy.name)


def changed(strategy: Strategy, change: Change) -> Changed:
    """Return the moves under the strategy, over all positions or for the given ids."""
    if change.named:
        found = given_ids(strategy, change, change.named)
        return Changed(strategy, found.once, found.single, found.shares, found.plan, found.plan.how, ())
    form = by_index(strategy)
    if form:
        owners = form(change.grown or change.queues, change.after)
        counts = [owners.count(index) for index in range(change.after)]
        plan, how = planned(strategy, change)
        once, single = at_once(strategy, change), one_by_one(strategy, change)
        steps = () if change.grown else STEPS.get(strategy.name, ())
        return Changed(strategy, once, single, (min(counts), max(counts)), tuple(plan), how, steps)
    free = over_ids(strategy, change)
    return Changed(strategy, free.once, free.single, free.shares, free.plan, free.plan.how, ())
