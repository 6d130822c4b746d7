"""What the code of a broker's registry does, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.registry.clients import RegistryClient
from rebalance_proofs.model.registry.group import ID, Group
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.registry.elsewhere import Elsewhere
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.schedule import OBSERVES

__all__ = ["Run", "Seen", "did", "run"]


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    at: int
    """ms since the broker was started."""
    happens: Happens
    alive: bool
    """The member lives."""
    link: bool
    """Its newest connection is open."""
    answer: tuple[str, ...]
    """The ids that the broker would answer; none: it answers an error."""
    stale: bool
    """What is listed of the member has changed, and nobody was notified."""
    changed: bool
    """The answer is another one than before the action."""


@dataclass(frozen=True)
class Run:
    """All of it, and what was so in the end. Times are in ms."""

    client: RegistryClient
    world: Membership
    limits: Limits
    seen: tuple[Seen, ...]
    alive: bool
    known: bool
    died: bool
    threw: bool
    link: bool
    mine: bool
    old: bool
    stale: bool
    change: int
    old_at: int
    stale_at: int
    moved_at: int | None
    seen_route: bool
    elsewhere: int
    """How often another broker lists the member that all its heartbeats reach."""

    @property
    def end(self) -> int:
        """The time of the last action."""
        return self.seen[-1].at

    @property
    def since(self) -> int:
        """How long ago the last change was."""
        return self.end - self.change

    @property
    def answer(self) -> tuple[str, ...]:
        """The ids that the broker answers in the end."""
        return self.seen[-1].answer

    @property
    def listed(self) -> int:
        """How often the member's id is among them."""
        return self.answer.count(ID)

    @property
    def others(self) -> str:
        """Who else is among them, for people; empty for nobody."""
        return " and ".join(dict.fromkeys(one for one in self.answer if one != ID))

    @property
    def answered(self) -> str:
        """The same for people."""
        return f"[{', '.join(self.answer)}]"


def run(client: RegistryClient, world: Membership, schedule: Schedule, times: Sequence[int], limits: Limits) -> Run:
    """The schedule at those times, in ms.

    Raises ``Impossible`` where the code does not do what the schedule says, and where something is later than the
    limits have it.
    """
    group, other = client.group(limits, off=world.off, later=world.later), Elsewhere(limits)
    seen: list[Seen] = []
    for happens, at in zip(schedule, times, strict=True):
        _waits(group, world, at, limits)
        group.now = at
        other.until(at)
        other.hears(happens.action, at)
        if happens.action != OBSERVES:
            did(group, happens)
        answer = tuple(group.answer or ())
        changed = answer != (seen[-1].answer if seen else ())
        seen.append(Seen(at, happens, group.alive, group.link, answer, group.stale, changed))
    return Run(
        client,
        world,
        limits,
        tuple(seen),
        group.alive,
        group.known,
        group.died,
        group.threw,
        group.link,
        group.mine,
        group.old,
        group.stale,
        group.change,
        group.old_at,
        group.stale_at,
        group.route.moved_at,
        group.route.seen,
        other.listed,
    )


def did(group: Group, happens: Happens) -> None:
    """The action; how the broker notifies, it knows itself."""
    told = {name: value for name, value in happens.said if name not in ("off", "later")}
    getattr(group, happens.action)(**told)


def _waits(group: Group, world: Membership, until: int, limits: Limits) -> None:
    if until == group.now:
        return
    need(until > group.now and group.found is None and group.broker.listener.process_map is None)
    need(not group.leaving)
    need(not (world.prompt and group.closing) and not (world.greets and group.anew))
    late = (
        (world.beats and group.alive, group.at + limits.beat),
        (world.scans, group.scanned + limits.scan),
        (world.sends, group.flushed + limits.collect),
        (world.polls, group.route.polled + limits.poll),
    )
    if any(asked and until > due for asked, due in late):
        raise Impossible
