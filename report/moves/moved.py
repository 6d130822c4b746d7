"""What changes hands: by the proved forms where there is one, else counted on the strategy's code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.strategy import Strategy, queues_for
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.model.topics.kafka_round_robin import KAFKA_ROUND_ROBIN
from rebalance_proofs.proofs.growth.appended import most
from rebalance_proofs.proofs.movement.lemmas.totals import changed_hands
from rebalance_proofs.proofs.movement.staying import stay
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.allocation.owners import Owners, owners_of
from rebalance_proofs.report.moves.event import Event, Group
from rebalance_proofs.report.seen import Mark, seen_of, together

__all__ = ["KAFKA", "Moved", "Moves", "counted", "moves"]

KAFKA = (KAFKA_RANGE, KAFKA_ROUND_ROBIN)
"""Not RocketMQ: for comparison."""
SHARES = "allocation.{}.shares"


@dataclass(frozen=True)
class Moved:
    """With one consumer that joins or leaves, or with the one way in which a topic grows."""

    place: int | None
    """Where that consumer sorts among all; None where none does."""
    hands: int
    """Queues that have another owner than before, and had one."""
    own: int
    """Of these, those that the newcomer gets, or that whoever leaves had."""
    needed: int
    """The least that change hands under a balanced strategy: what it gives to the newcomer (q div (c + 1), the least
    share among c + 1); when one leaves, what it had, which needs a new owner under any strategy; of a topic that grows
    nothing, for the new queues can go to whoever has fewest."""

    @property
    def between(self) -> int:
        """Those that go from one who was there before to another who stays."""
        return self.hands - self.own


@dataclass(frozen=True)
class Moves:
    """Under one strategy."""

    strategy: Strategy
    claims: tuple[str, ...]
    """By which all numbers are proved; none where they are counted."""
    places: tuple[Moved, ...]

    @property
    def rocketmq(self) -> bool:
        """Else it is there to compare."""
        return self.strategy not in KAFKA

    @property
    def least(self) -> Moved:
        """Of the fewest that change hands, where it sorts first."""
        return min(self.places, key=lambda moved: moved.hands)

    @property
    def worst(self) -> Moved:
        """Of the most."""
        return max(self.places, key=lambda moved: moved.hands)

    @property
    def mark(self) -> Mark:
        """Of the claims; of what is counted, of the strategy's code."""
        return together(self.claims) if self.claims else seen_of(ALLOCATION, (self.strategy,)).mark

    @property
    def basis(self) -> str:
        """``proved, seen: movement.avg.moved``, ``counted, seen``."""
        return f"proved, {self.mark}: {', '.join(self.claims)}" if self.claims else f"counted, {self.mark}"


def moves(strategy: Strategy, group: Group, places: Sequence[int]) -> Moves:
    """For the one that joins or leaves at each of these places."""
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
    """The claim that proves it, and ``form(queues, fewer, place)``: how many change hands; None where none does."""
    if strategy is AVERAGELY:
        return "movement.avg.moved", changed_hands
    if strategy is AVERAGELY_BY_CIRCLE:
        return "movement.circle.kept", lambda q, c, place: q - stay(q, c, place)
    return None


def _proved_growth(strategy: Strategy, group: Group) -> tuple[str, int]:
    """The claim and the number; no claim where none says exactly how many."""
    new, c = group.grown - group.queues, group.consumers
    if strategy is CONSISTENT_HASH:
        return "growth.hash.steady", 0
    if group.brokers == 1 and strategy is AVERAGELY_BY_CIRCLE:
        return "growth.circle.turned", 0
    if group.brokers == 1 and strategy is AVERAGELY and new * (c - 1) <= group.queues:
        return "growth.avg.appended", most(group.queues, c, new)
    return "", 0


def counted(strategy: Strategy, group: Group, place: int) -> Moved:
    """On the strategy's code: who takes which queue with all of them, and without the one at that place."""
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
    """In the order in which clients sort them."""
    if brokers == 1:
        return queues_for((strategy,), count)
    names = [f"broker-{number:02}" for number in range(brokers)]
    return tuple(queue for name in names for queue in one_broker(count // brokers, broker_name=name))


@cache
def _owners(strategy: Strategy, queues: tuple[MessageQueue, ...], ids: tuple[str, ...]) -> Owners:
    return owners_of(strategy, queues, ids)
