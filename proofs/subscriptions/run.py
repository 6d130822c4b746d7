"""What the code of a member and of the broker does, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.possible import need
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.member import Member
from rebalance_proofs.model.subscriptions.state import IDLE
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.subscriptions.members import Members
from rebalance_proofs.proofs.subscriptions.observed import does

__all__ = ["Run", "Seen", "run"]


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    at: int
    """ms since the member's first heartbeat has come."""
    happens: Happens
    place: int
    """Where the member's heartbeat is."""
    full: bool
    """It has the subscriptions, if it was sent."""
    mine: int
    """The member's version."""
    has: bool
    """The broker's table has the topic."""
    version: int
    """With that version."""
    refused: bool
    """The member's last pull was refused."""
    notified: int
    """How often the broker has notified the members."""


@dataclass(frozen=True)
class Run:
    """All of it."""

    client: SubscriptionsClient
    world: Members
    limits: Limits
    seen: tuple[Seen, ...]
    changed: int
    """When a heartbeat last changed the table."""
    moved: int
    """When the member's table of queues last changed, or the broker forgot the group."""
    refused: bool
    """The member's last pull was."""
    asked: int
    """When."""
    first: int
    """When the first of those was that followed each other."""
    stirred: bool
    odd: bool
    lost: bool
    missed: bool
    barred: bool

    @property
    def end(self) -> int:
        """The time of the last action."""
        return self.seen[-1].at

    @property
    def since(self) -> str:
        """What there was when it last moved."""
        moves = [seen for seen in self.seen if seen.happens.action in ("raises", "forgets")]
        if not moves:
            return "the member's start"
        forgot = moves[-1].happens.action == "forgets"
        return "the broker has forgotten the group" if forgot else "the member's table of queues has changed"


def run(client: SubscriptionsClient, world: Members, schedule: Schedule, times: Sequence[int], limits: Limits) -> Run:
    """The schedule at those times, in ms.

    Raises ``Impossible`` where the code does not do what the schedule says, and where something takes longer than the
    limits have it.
    """
    member = client.member(limits)
    seen = []
    for happens, at in zip(schedule, times, strict=True):
        _waits(member, at, limits, world)
        member.now = at
        does(member, happens)
        entry = member.entry
        seen.append(
            Seen(
                at,
                happens,
                member.client.at,
                member.client.sent is None or not member.client.sent.without_sub,
                member.version,
                entry is not None,
                entry.sub_version if entry else 0,
                member.refused,
                member.broker.notified,
            )
        )
    told = {name: getattr(member, name) for name in ("changed", "moved", "refused", "asked", "first")}
    told |= {name: getattr(member, name) for name in ("stirred", "odd", "lost", "missed", "barred")}
    return Run(client, world, limits, tuple(seen), **told)


def _waits(member: Member, until: int, limits: Limits, world: Members) -> None:
    if until == member.now:
        return
    need(until > member.now and until <= member.client.next)
    need(member.client.at == IDLE or until <= member.client.began + limits.beat)
    need(not world.retries or not member.refused or member.refuses or until <= member.opened + limits.retry)
    need(not world.comes or until <= member.heard + limits.apart)
    need(not world.goes or until <= member.left + limits.apart)
