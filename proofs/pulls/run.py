"""What a consumer's code does with a queue's pull requests, action by action."""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.consumer import PullsConsumer
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.pulls.troubles import Troubles

__all__ = ["Run", "Seen", "run"]


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    happens: Happens
    present: bool
    """The queue has an entry in the table."""
    live: bool
    """One that is not marked."""
    waiting: int
    pulling: int
    asking: int
    repairing: int
    """How many requests of the entry wait, how many are under way, how many have their offset asked for, how many tasks
    are about it."""
    old_waiting: int
    old_pulling: int
    old_asking: int
    old_repairing: int
    """The same of entries that have left the table."""
    ended: bool
    """The thread of ``PullMessageService`` has."""
    suspended: bool
    """The consumer is."""

    @property
    def requests(self) -> int:
        """So many circulate for the entry."""
        return self.waiting + self.pulling + self.asking


@dataclass(frozen=True)
class Run:
    """All of it."""

    client: PullsClient
    world: Troubles
    limit: int
    """``pullMaxIdleTime``, in ms."""
    seen: tuple[Seen, ...]
    late: bool
    """A pull has begun for an entry that had left the table."""
    hit: bool
    """A task has taken another entry out than it was about."""
    wrote: bool
    """A task has written an offset when its entry had left the table."""
    cut: bool
    """A rebalance has taken an entry for one that is not pulled while its request was there."""
    overlooked: bool
    """A rebalance has left an entry as it was, unmarked, which was not pulled for too long."""
    begun: bool
    """A pull has begun whose request was taken while the consumer was suspended."""
    stale: bool
    """A rebalance has left an entry live whose queue is another consumer's."""

    @property
    def without(self) -> bool:
        """No request circulates for the entry, which is live."""
        last = self.seen[-1]
        return last.live and (last.ended or not last.requests)

    @property
    def stuck(self) -> bool:
        """A request of a live entry waits that nobody takes; or an overdue entry was overlooked."""
        last = self.seen[-1]
        return last.live and (self.overlooked or (last.ended and last.waiting > 0))


def run(client: PullsClient, world: Troubles, schedule: Schedule, limit: int) -> Run:
    """The schedule, with that longest time without a pull.

    Raises ``Impossible`` where the client's code does not do what the schedule says.
    """
    consumer = client.consumer(limit)
    seen = []
    for happens in schedule:
        told: dict[str, Any] = dict(happens.said)
        if happens.action == "waits":
            told["span"] = limit + 1
        getattr(consumer, happens.action)(**told)
        seen.append(_seen(consumer, happens))
    return Run(
        client,
        world,
        limit,
        tuple(seen),
        late=consumer.late,
        hit=consumer.hit,
        wrote=consumer.wrote,
        cut=consumer.cut,
        overlooked=consumer.kept > limit,
        begun=consumer.begun,
        stale=consumer.stale,
    )


def _seen(consumer: PullsConsumer, happens: Happens) -> Seen:
    entry, service = consumer.entry, consumer.service
    counted = {"waiting": service.waiting, "pulling": consumer.pulling, "repairing": service.tasks}
    own = {name: 0 if entry is None else of[entry] for name, of in counted.items()}
    old = {f"old_{name}": sum(of[one] for one in consumer.left) for name, of in counted.items()}
    live = entry is not None and not entry.dropped
    asked = consumer.asking
    held = {"asking": int(asked is not None and asked is entry), "old_asking": int(asked not in (None, entry))}
    return Seen(
        happens, entry is not None, live, **own, **old, **held, ended=service.ended, suspended=consumer.suspended
    )
