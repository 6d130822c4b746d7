"""What the code of two consumers and a broker does, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.consumer import OrderedConsumer
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.lock_manager import RebalanceLockManager
from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.schedule import RESTARTS, told

__all__ = ["Run", "Seen", "run"]


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    at: int
    """ms since the beginning."""
    happens: Happens
    runs: tuple[bool, bool]
    """By consumer: its listener runs."""
    present: tuple[bool, bool]
    """The queue has an entry in its table."""
    holder: int
    """The client id that has the broker's lock, or ``NOBODY``; one that has run out stands there too."""
    shut: tuple[bool, bool] = (False, False)
    """Its shutdown is over, and no return of the lock is under way."""


@dataclass(frozen=True)
class Run:
    """All of it."""

    client: OrderedClient
    world: Circumstances
    limits: Limits
    seen: tuple[Seen, ...]

    @property
    def both(self) -> bool:
        """In the end the listeners of both consumers run."""
        return bool(self.seen) and all(self.seen[-1].runs)

    @property
    def left_behind(self) -> bool:
        """In the end the first one is shut down, and has its lock still."""
        return bool(self.seen) and self.seen[-1].shut[0] and self.seen[-1].holder == self.world.client_ids[0]


def run(client: OrderedClient, world: Circumstances, schedule: Schedule, times: Sequence[int], limits: Limits) -> Run:
    """The schedule at those times, in ms.

    Raises ``Impossible`` where the client's code, or the broker's, does not do what the schedule says, and where a
    listener runs, or an answer or a renewal is awaited, for longer than the limits have it.
    """
    broker = RebalanceLockManager(limits.broker)
    consumers = [client.consumer(client_id, broker, limits) for client_id in world.client_ids]
    seen, now = [], 0
    for happens, at in zip(schedule, times, strict=True):
        for consumer in consumers:
            _waits(consumer, now, at, limits, renewed=world.renewed)
        now = at
        if happens.action == RESTARTS:
            broker.entry = None
        else:
            getattr(consumers[happens.who], happens.action)(**told(happens.action, dict(happens.said)))
        one, two = consumers
        seen.append(
            Seen(
                at,
                happens,
                (one.listener is not None, two.listener is not None),
                (one.entry is not None, two.entry is not None),
                broker.entry.client_id if broker.entry else NOBODY,
                (_shut(one), _shut(two)),
            )
        )
    return Run(client, world, limits, tuple(seen))


def _shut(consumer: OrderedConsumer) -> bool:
    return consumer.yielded and consumer.closed and not consumer.unlocks


def _waits(consumer: OrderedConsumer, now: int, until: int, limits: Limits, *, renewed: bool) -> None:
    if until < now:
        raise Impossible
    entry = consumer.entry
    if renewed and consumer.listed and entry and until > entry.last_lock_timestamp + limits.renewal:
        raise Impossible
    if consumer.listener is not None and until > consumer.since + limits.listener:
        raise Impossible
    if any(until > granted + limits.delay for granted in consumer.grants):
        raise Impossible
    if consumer.adding is not None and until > consumer.adding + limits.delay:
        raise Impossible
    consumer.now = until
