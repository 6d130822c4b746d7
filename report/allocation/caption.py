"""Describe a counterexample group in words."""

from collections.abc import Iterable

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.assignment import Assignment, Row
from rebalance_proofs.report.allocation.comparison import Comparison, assigned
from rebalance_proofs.report.names import label, readable
from rebalance_proofs.report.text.english import bracketed, capitalized, listing, queues


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
