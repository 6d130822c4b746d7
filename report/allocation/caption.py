"""Describe a counterexample group in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import NOWHERE, positions_in
from rebalance_proofs.proofs.allocation.stated import name_consumer
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.names import clients, label, readable, run_by, shippers, variants
from rebalance_proofs.report.text.english import bracketed, capitalized, listing, queues

# The assignment of queues to consumers in a counterexample, for figures, captions and traces.


@dataclass(frozen=True)
class Row:
    """One consumer of the group, with its inputs and its queues.

    Queues are indices into the topic's queues.
    """

    name: str
    """The consumer's client id, with its index in the group if another consumer has the same id."""
    consumer: Consumer
    sees: tuple[int, ...]
    """The consumer's mqAll, in its order."""
    takes: tuple[int, ...]
    """Queues that the consumer takes; empty if the client throws."""
    elsewhere: tuple[str, ...]
    """Queues that the consumer takes although no broker of the topic has them: ``broker-z:0``."""
    throws: str
    """The client's exception; empty if there is none."""
    instead: str = ""
    """The exception as a phrase: ``throws (mqAll is null)``.

    For user-defined strategies also ``returns None``.
    """

    @property
    def index(self) -> int | None:
        """Index of the consumer's own id in its cidAll; None if the id is missing."""
        ids = self.consumer.cid_all
        return ids.index(self.consumer.client_id) if self.consumer.client_id in ids else None


@dataclass(frozen=True)
class Assignment:
    """All consumers of a group, with the queues that they take."""

    queues: int
    rows: tuple[Row, ...]

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """For each queue, the indices of the consumers that take it."""
        return tuple(
            tuple(place for place, row in enumerate(self.rows) if queue in row.takes) for queue in range(self.queues)
        )

    @property
    def nobody(self) -> tuple[int, ...]:
        """Queues that no consumer takes."""
        return tuple(queue for queue, readers in enumerate(self.readers) if not readers)

    @property
    def several(self) -> tuple[int, ...]:
        """Queues that more than one consumer takes."""
        return tuple(queue for queue, readers in enumerate(self.readers) if len(readers) > 1)

    def agreed(self, attribute: str) -> bool:
        """Return whether all consumers have the same list ``attribute``: ``mq_all`` or ``cid_all``."""
        first = getattr(self.rows[0].consumer, attribute)
        return all(getattr(row.consumer, attribute) == first for row in self.rows)

    @property
    def one_strategy(self) -> bool:
        """Whether all consumers run the same function, possibly with different arguments."""
        return len({row.consumer.strategy.name for row in self.rows}) == 1


def assignment(group: Group) -> Assignment:
    """Compute the assignment of a group with the modelled client code."""
    return Assignment(len(group.queues), tuple(_row(group, place) for place in range(len(group.consumers))))


def _row(group: Group, place: int) -> Row:
    consumer = group.consumers[place]
    result, throws, instead = [], "", ""
    try:
        result = consumer.allocate() or []  # CONFIG returns null if it was given no list
    except AllocationError as error:
        throws, instead = str(error), error.instead
    takes = tuple(position for position in positions_in(group.queues, result) if position != NOWHERE)
    elsewhere = tuple(f"{queue.broker_name}:{queue.queue_id}" for queue in result if queue not in group.queues)
    sees = tuple(positions_in(group.queues, consumer.mq_all))
    return Row(name_consumer(group, place), consumer, sees, takes, elsewhere, throws, instead)


# Compare a group's allocation with that before a change, or with that of another client.


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


def caption(example: Counterexample) -> tuple[str, ...]:
    """Return the caption, one sentence a line: inputs, each consumer's queues, and broken guarantee."""
    found, compared = assigned(example.group)
    shared = _shared(found, compared)
    lines = list(notes(example))
    if shared and len(found.rows) > 1:
        lines.append(f"All consumers see {shared}.")
    elif shared and compared:
        lines.append(f"{found.rows[0].name} sees {shared}.")
    lines += _both_sides(compared) if compared else [_one(row, found) for row in found.rows]
    return (*lines, told(example))


def summary(example: Counterexample) -> tuple[str, ...]:
    """Return the caption without inputs: each consumer's queues or the changes, and the broken guarantee."""
    found, compared = assigned(example.group)
    taken = [f"{row.name} {outcome(row)}." for row in found.rows]
    return (*(_changes(compared) if compared else taken), told(example))


def notes(example: Counterexample) -> tuple[str, ...]:
    """Return further inputs of the strategy: hash values, rooms, broker names, topics, configured lists."""
    return tuple(map(readable, example.group.setting.notes)) if example.group.setting else ()


def told(example: Counterexample) -> str:
    """Return a sentence about how the guarantee is broken.

    It starts in upper case or with a client id.
    """
    sentence = readable(example.sentence)
    if any(sentence.startswith(consumer.client_id) for consumer in example.group.consumers):
        return sentence
    return capitalized(sentence)


def _shared(found: Assignment, compared: Comparison | None) -> str:
    consumer = found.rows[0].consumer
    parts = []
    if found.agreed("cid_all") and not (compared and compared.kind == "join"):
        parts.append(f"cidAll {bracketed(consumer.cid_all)}")
    if found.agreed("mq_all") and not (compared and compared.kind == "queues"):
        parts.append(f"mqAll {bracketed(found.rows[0].sees)}")
    return listing(parts)


def _one(row: Row, found: Assignment) -> str:
    alone = len(found.rows) == 1
    seen = []
    if alone or not found.agreed("cid_all"):
        seen.append(f"cidAll {bracketed(row.consumer.cid_all)}")
    if alone or not found.agreed("mq_all"):
        seen.append(f"mqAll {bracketed(row.sees)}")
    does = [f"sees {listing(seen)}"] if seen else []
    if not found.one_strategy:
        does.append(f"runs {label(row.consumer.strategy)}")
    if row.index is None:
        does.append("does not find its own id")
    elif not alone:
        does.append(f"has index {row.index}")
    if not row.consumer.subscribes:
        does.append("does not subscribe to the topic")
    return f"{row.name} {listing([*does, outcome(row)])}."


def _both_sides(compared: Comparison) -> list[str]:
    said = list(at_first(compared))
    for title, side in zip(compared.titles, (compared.before, compared.after), strict=True):
        seen = ""
        if compared.kind == "join" and side.rows and side.agreed("cid_all"):
            seen = f", with cidAll {bracketed(side.rows[0].consumer.cid_all)}"
        if compared.kind == "queues":
            seen = f", with mqAll {bracketed(side.rows[0].sees)}"
        said.append(f"{capitalized(title)}{seen}: {_everybody(side)}.")
    return [*said, *_changes(compared)]


def at_first(compared: Comparison | None) -> tuple[str, ...]:
    """Return sentences about the allocation before the two that are compared, for groups that change twice."""
    if not compared or not compared.earlier:
        return ()
    ids = bracketed(compared.earlier.rows[0].consumer.cid_all)
    return (f"At first, with cidAll {ids}: {_everybody(compared.earlier)}.",)


def _everybody(side: Assignment) -> str:
    return "; ".join(f"{row.name} {outcome(row)}" for row in side.rows) or "no consumers"


def _changes(compared: Comparison) -> Iterable[str]:
    if not compared.changes:
        return
    in_time = compared.in_time
    found = []
    for change in compared.changes:
        before, after = (
            listing(compared.after.rows[place].name for place in places) or "no consumer"
            for places in (change.before, change.after)
        )
        there, here = compared.short
        went = f" from {before} to {after}" if in_time else f" goes to {before} in {there}, to {after} in {here}"
        found.append(f"queue {change.queue}{went}")
    yield f"{'Moves' if in_time else 'Differences'}: {'; '.join(found)}."


def outcome(row: Row) -> str:
    """Return the consumer's result in words: ``takes queues 0 and 2``."""
    if row.throws:
        return row.instead
    taken = [queues(row.takes)] if row.takes else []
    taken += [f"{queue}, which the topic does not have" for queue in row.elsewhere]
    return f"takes {listing(taken) or 'nothing'}"
