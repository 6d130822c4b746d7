"""A group beside what it is compared with: itself before somebody joined or queues were added, or in another client."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.report.allocation.assignment import Assignment, assignment
from rebalance_proofs.report.english import queues
from rebalance_proofs.report.names import clients, run_by, shippers, variants


@dataclass(frozen=True)
class Change:
    """A queue that is not with the same consumers on both sides; places are those of the group, not its reference."""

    queue: int
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """The two sides. What the group is compared with comes first, as "before" comes before "after"."""

    kind: str
    """``join``, ``queues`` or ``clients``."""
    before: Assignment
    after: Assignment
    places: tuple[int | None, ...]
    """For each consumer of the group its place in the reference; None when it was not there."""
    titles: tuple[str, str]
    """What each side is: ``before c0 joins``, ``after c0 has joined``; ``when run by the Go client``."""
    short: tuple[str, str]
    """The same in a word or two: ``before``, ``now``; ``Go``."""
    earlier: Assignment | None = None
    """The stage before the first side, where the group has changed twice."""

    @property
    def in_time(self) -> bool:
        """The one side comes after the other."""
        return self.kind != "clients"

    def had(self, place: int) -> tuple[int, ...]:
        """What the consumer at that place of the group takes on the other side."""
        there = self.places[place]
        return () if there is None else self.before.rows[there].takes

    @property
    def changes(self) -> tuple[Change, ...]:
        """Queue by queue."""
        everybody = range(len(self.places))
        found = []
        for queue, after in enumerate(self.after.readers):
            before = tuple(place for place in everybody if queue in self.had(place))
            if before != after:
                found.append(Change(queue, before, after))
        return tuple(found)


def comparison(group: Group) -> Comparison | None:
    """Both sides; None for a group that stands alone."""
    if group.reference is None:
        return None
    before, after = assignment(group.reference), assignment(group)
    ids = [consumer.client_id for consumer in group.reference.consumers]
    places = tuple(ids.index(consumer.client_id) if consumer.client_id in ids else None for consumer in group.consumers)
    joined = [row.name for row, there in zip(after.rows, places, strict=True) if there is None]
    if joined:
        who = ", ".join(joined)
        titles = (
            f"before {who} {'joins' if len(joined) == 1 else 'join'}",
            f"after {who} {'has' if len(joined) == 1 else 'have'} joined",
        )
        earlier = group.reference.reference
        first = assignment(earlier) if earlier else None
        return Comparison("join", before, after, places, titles, ("before", "now"), first)
    new = [queue for queue, before_ in enumerate(group.queues) if before_ not in group.reference.consumers[0].mq_all]
    if new:
        added = f"{queues(new)} {'was' if len(new) == 1 else 'were'} added"
        titles = f"before {added}", f"after {added}"
        return Comparison("queues", before, after, places, titles, ("before", "now"))
    sides = [found.consumers[0].strategy for found in (group.reference, group)]
    one, other = (f"when run by {_runner(strategy)}" for strategy in sides)
    this, that = ("/".join(clients(shippers(strategy))) or strategy.rocketmq_name for strategy in sides)
    return Comparison("clients", before, after, places, (one, other), (this, that))


def _runner(strategy: Strategy) -> str:
    """The client that ships it; its own name where none does, or a client ships several that could be meant."""
    return run_by(strategy) if shippers(strategy) and len(variants(strategy)) > 1 else strategy.rocketmq_name


def assigned(group: Group) -> tuple[Assignment, Comparison | None]:
    """Who takes what in the group; and beside what it is compared with, unless it stands alone."""
    compared = comparison(group)
    return compared.after if compared else assignment(group), compared
