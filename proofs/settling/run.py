"""What the code of a client's rebalance thread does, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.consumer import SettlingConsumer
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import WAITS
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.settling.schedule import OBSERVES, told

__all__ = ["Run", "Seen", "run"]


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    at: int
    """ms since the thread was started."""
    happens: Happens
    place: int
    """Where the thread is."""
    flag: bool
    """``hasNotified``."""
    open: bool
    """The latch is counted down."""
    right: bool
    """The tables are those of the views after the change."""


@dataclass(frozen=True)
class Run:
    """All of it."""

    client: SettlingClient
    world: Notices
    limits: Limits
    seen: tuple[Seen, ...]
    changed: int | None
    """When what the client is told has changed."""
    heard: int | None
    """When it was notified of that."""
    ended: int | None
    """When the last rebalance had ended that is not under way."""
    began: int | None
    """When the one under way began."""

    @property
    def right(self) -> bool:
        """In the end."""
        return self.seen[-1].right

    @property
    def end(self) -> int:
        """The time of the last action."""
        return self.seen[-1].at


def run(client: SettlingClient, world: Notices, schedule: Schedule, times: Sequence[int], limits: Limits) -> Run:
    """The schedule at those times, in ms.

    Raises ``Impossible`` where the client's code does not do what the schedule says, and where a wait or a rebalance
    takes longer than the limits have it.
    """
    consumer = client.consumer(limits)
    seen = []
    for happens, at in zip(schedule, times, strict=True):
        _waits(consumer, at, limits, world)
        consumer.now = at
        if happens.action == "wakes" and not world.timer:
            need(consumer.service.wait_point.count == 0)
        if happens.action != OBSERVES:
            getattr(consumer, happens.action)(**told(dict(happens.said)))
        service = consumer.service
        is_open = service.wait_point.count == 0
        seen.append(Seen(at, happens, service.at, service.has_notified, is_open, consumer.right))
    return Run(
        client,
        world,
        limits,
        tuple(seen),
        consumer.changed,
        consumer.heard,
        consumer.ended,
        consumer.began if consumer.runs else None,
    )


def _waits(consumer: SettlingConsumer, until: int, limits: Limits, world: Notices) -> None:
    service = consumer.service
    if until == consumer.now:
        return
    need(until > consumer.now and service.wakers == 0)
    if consumer.runs:
        need(until <= consumer.began + limits.loop)
    elif service.at == WAITS and service.wait_point.count:
        need(not world.timer or until <= service.since + service.real_wait_interval)
    else:
        raise Impossible
