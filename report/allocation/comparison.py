"""Compare a group's allocation with that before a change, or with that of another client."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.report.allocation.assignment import Assignment, assignment
from rebalance_proofs.report.names import clients, run_by, shippers, variants
from rebalance_proofs.report.text.english import queues


@dataclass(frozen=True)
class Change:
    """A queue whose consumers differ between reference and group.

    Consumers are indices into the group.
    """

    queue: int
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """Two allocations to compare: ``before`` of the reference, and ``after`` of the group."""

    kind: str
    """What differs: ``join`` (a consumer joined), ``queues`` (queues were added), or ``clients``."""
    before: Assignment
    after: Assignment
    places: tuple[int | None, ...]
    """For each consumer of the group, its index in the reference.

    None if the reference lacks it.
    """
    titles: tuple[str, str]
    """Names of both allocations: ``before c0 joins``, ``after c0 has joined``."""
    short: tuple[str, str]
    """Short names of both allocations: ``before``, ``now``; ``Go``."""
    earlier: Assignment | None = None
    """The allocation before the reference, for groups that change twice."""

    @property
    def in_time(self) -> bool:
        """Whether the group follows the reference in time, instead of running another client."""
        return self.kind != "clients"

    def had(self, place: int) -> tuple[int, ...]:
        """Return the queues that a consumer takes in the reference.

        ``place``: its index in the group.
        """
        there = self.places[place]
        return () if there is None else self.before.rows[there].takes

    @property
    def changes(self) -> tuple[Change, ...]:
        """The queues whose consumers differ between reference and group."""
        everybody = range(len(self.places))
        found = []
        for queue, after in enumerate(self.after.readers):
            before = tuple(place for place in everybody if queue in self.had(place))
            if before != after:
                found.append(Change(queue, before, after))
        return tuple(found)


def comparison(group: Group) -> Comparison | None:
    """Return the comparison of a group with its reference; None if it has no reference."""
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
    """Return the client that ships the strategy, or the strategy's name if there is no single client."""
    return run_by(strategy) if shippers(strategy) and len(variants(strategy)) > 1 else strategy.rocketmq_name


def assigned(group: Group) -> tuple[Assignment, Comparison | None]:
    """Return the group's assignment, and the comparison with its reference (None if it has no reference)."""
    compared = comparison(group)
    return compared.after if compared else assignment(group), compared
