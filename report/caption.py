"""A counterexample in words."""

from proofs.results import Counterexample
from report.assignment import Assignment, Row, assignment
from report.words import bracketed, listing


def caption(example: Counterexample) -> tuple[str, ...]:
    """What all consumers see, what each sees of its own and takes, and what is wrong with that: a sentence a line."""
    found = assignment(example.group)
    shared = _shared(found)
    alone = len(found.rows) == 1
    lines = [f"All consumers see {shared}."] if shared and not alone else []
    lines += [_one(row, found, alone) for row in found.rows]
    return (*lines, _begin(example.sentence, found))


def _begin(sentence: str, found: Assignment) -> str:
    """A capital letter, unless the sentence begins with a client id."""
    if any(sentence.startswith(row.consumer.client_id) for row in found.rows):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def _shared(found: Assignment) -> str:
    consumer = found.rows[0].consumer
    parts = []
    if found.agreed("cid_all"):
        parts.append(f"cidAll {bracketed(consumer.cid_all)}")
    if found.agreed("mq_all"):
        parts.append(f"mqAll {bracketed(found.rows[0].sees)}")
    return listing(parts)


def _one(row: Row, found: Assignment, alone: bool) -> str:
    seen = []
    if alone or not found.agreed("cid_all"):
        seen.append(f"cidAll {bracketed(row.consumer.cid_all)}")
    if alone or not found.agreed("mq_all"):
        seen.append(f"mqAll {bracketed(row.sees)}")
    does = [f"sees {listing(seen)}"] if seen else []
    if not found.agreed("strategy"):
        does.append(f"runs {row.consumer.strategy.rocketmq_name}")
    if row.index is None:
        does.append("does not find its own id there")
    elif len(found.rows) > 1:
        does.append(f"has index {row.index}")
    return f"{row.name} {listing([*does, _outcome(row)])}."


def _outcome(row: Row) -> str:
    if row.throws:
        return f"throws ({row.throws})"
    if not row.takes:
        return "takes nothing"
    return f"takes {'queue' if len(row.takes) == 1 else 'queues'} {listing(row.takes)}"
