"""The answer of ``rebalance moves`` about a change of several consumers, as text."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rebalance_proofs.report.claims.mark import legend
from rebalance_proofs.report.moves.by_name import EXACT, Order, ids_of
from rebalance_proofs.report.moves.change import Change, by_index
from rebalance_proofs.report.moves.moved import Changed
from rebalance_proofs.report.moves.several import PATTERNS, How, Planned, Range
from rebalance_proofs.report.moves.told import Runner, best, leading
from rebalance_proofs.report.names import short_label
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.wrapping import aligned

MARKS = {How.EXACT: "", How.BOUND: "^", How.FOUND: "*"}
"""How far a number is certain -> the sign behind it."""


def label(one: Changed) -> str:
    """Return the strategy's name as users know it."""
    return short_label(one.strategy) if one.rocketmq else one.strategy.rocketmq_name


def average(number: Fraction) -> str:
    """Return an average with one decimal: ``16.7``, ``24.0``."""
    return f"{float(number):,.1f}"


def _numbers(found: Range) -> str:
    least, worst = f"{found.least:,}", f"{found.worst:,}"
    return worst if least == worst else f"{least} to {worst}"


def what(change: Change) -> str:
    """Return the change in words: ``From 3 to 7 consumers with 24 queues``."""
    consumers = f"From {change.before:,} to {count(change.after, 'consumer')}"
    if change.restart:
        verb = "restarts with a new id" if change.restart == 1 else "restart with new ids"
        who = f"{change.restart:,} of {change.before:,}" if change.restart < change.before else f"all {change.before:,}"
        consumers = f"If {who} consumers {verb}"
    elif change.leave and change.join:
        consumers += f" ({change.leave:,} leave, {change.join:,} join)"
    if change.grown:
        return f"{consumers}, and from {change.queues:,} to {count(change.grown, 'queue')}"
    if change.restart:
        return f"With {count(change.queues, 'queue')}, {consumers[0].lower()}{consumers[1:]}"
    return f"{consumers} with {count(change.queues, 'queue')}"


def sentence(change: Change, every: Sequence[Changed]) -> str:
    """Return the level strategy with the fewest moves, its numbers, and others with fewer."""
    ours = [one for one in every if one.rocketmq]
    runners = [Runner(label(one), one.level, (one.once.average, one.single.average)) for one in ours]
    found = best(runners)
    lead = ours[runners.index(found[0])]
    they = "it moves" if len(found) == 1 else "they move"
    text = [leading(runners), f"{what(change)}, {they} {_both(change, lead)}."]
    for one, runner in zip(ours, runners, strict=True):
        if lead.level and not one.level and runner.moves < found[0].moves:
            text.append(
                f"{label(one)} moves fewer, {_both(change, one)}, but is not level: {_shares(one)} queues each."
            )
    return " ".join(text)


def _both(change: Change, one: Changed) -> str:
    once = f"{_numbers(one.once)}{MARKS[one.once.how]}"
    if change.events == 1 and not change.restart:
        return once
    return f"{once} at once and {_numbers(one.single)}{MARKS[one.single.how]} one by one"


def _shares(one: Changed) -> str:
    least, most = one.shares
    return f"{least:,}" if least == most else f"{least:,} {'or' if one.level else 'to'} {most:,}"


def told(change: Change, every: Sequence[Changed], *, plan: bool = False) -> Iterator[str]:
    """Yield the answer; ``plan``: with the events that move the fewest queues."""
    yield sentence(change, every)
    yield ""
    yield from _table(every)
    yield ""
    if plan:
        for one in every:
            if one.rocketmq:
                yield from plan_lines(change, one)
                yield ""
    yield from _notes(change, every)


def _table(every: Sequence[Changed]) -> Iterator[str]:
    columns = []
    for title, found in (("at once", [one.once for one in every]), ("one by one", [one.single for one in every])):
        cells = [("least", "average", "most"), *map(_cells, found)]
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        rows = ("  ".join(f"{cell:>{width}}" for cell, width in zip(row, wide, strict=True)) for row in cells)
        columns.append([title, *rows])
    names, shares = ["", "strategy", *map(label, every)], ["", "shares", *map(_shares, every)]
    yield from aligned(list(zip(names, *columns, shares, strict=True)))


def _cells(found: Range) -> tuple[str, str, str]:
    sign = MARKS[found.how]
    return f"{found.least:,}{sign}", average(found.average), f"{found.worst:,}{sign}"


def plan_lines(change: Change, one: Changed) -> Iterator[str]:
    """Yield the plan with the fewest moves: a line for each event."""
    invented = isinstance(one.plan, Order) and not change.named
    over = "orders and ids" if invented else "orders" if isinstance(one.plan, Order) else "positions"
    how = {
        How.EXACT: f"exact: the fewest over all {over}",
        How.FOUND: "heuristic: another plan may move fewer queues",
    }[one.plan_how]
    if isinstance(one.plan, Order):
        steps = [(str(step), moves) for step, moves in zip(one.plan.steps, one.plan.moves, strict=True)]
    else:
        steps = [(_planned(step), step.moves) for step in one.plan]
    ids = f" with ids among {_among(change)}" if invented else ""
    yield f"Plan for {label(one)}{ids}, {count(sum(moves for _, moves in steps), 'move')} one by one ({how}):"
    digits = len(str(len(steps)))
    yield from (
        f"  {line}"
        for line in aligned([(f"{at:>{digits}}. {words}", f"{moves:,}") for at, (words, moves) in enumerate(steps, 1)])
    )


def _planned(step: Planned) -> str:
    if step.leaves is not None and step.joins is not None:
        back = "the same position" if step.leaves == step.joins else f"position {step.joins + 1}"
        return f"restart the consumer at position {step.leaves + 1} of {step.size}, with an id at {back}"
    if step.leaves is None and step.joins is None:
        return "add the new queues"
    if step.leaves is not None:
        return f"stop the consumer at position {step.leaves + 1} of {step.size + 1}"
    assert step.joins is not None
    return f"start a consumer whose id sorts at position {step.joins + 1} of {step.size}"


def _among(change: Change) -> str:
    """Return the ids that stand for those of the user: ``c0, c1, ..., c6``."""
    ids = ids_of(change)
    return ", ".join(ids if len(ids) <= 4 else (*ids[:2], "...", ids[-1]))


def _notes(change: Change, every: Sequence[Changed]) -> Iterator[str]:
    proved = {claim: None for one in every for claim in one.steps}
    if change.named:
        yield (
            "Computed for your ids; one by one over all orders of the events."
            if change.events <= EXACT
            else ("Computed for your ids; one by one for some orders of the events.")
        )
    else:
        yield "At once: all events happen before the first rebalance. One by one: a rebalance follows each event."
        if change.leave and change.join:
            yield "One by one, the leaves come first."
        if change.restart:
            yield "A restart is a leave, then a join. A new id is a new owner, so queues that return count as moved."
        indexed = [label(one) for one in every if by_index(one.strategy)]
        if indexed:
            yield f"{listing(indexed)}: over all orders of the ids, each equally likely; computed exactly."
    if proved and change.restart and any(one.strategy.name == "avg" for one in every):
        proved["joins.avg.restart"] = None
    if proved:
        yield f"Proved formula for each single join or leave: {', '.join(proved)}."
    named = [one for one in every if not by_index(one.strategy)]
    if named and not change.named:
        tried = "all choices" if all(one.single.how is How.EXACT for one in named) else "some choices"
        yield (
            f"{listing(label(one) for one in named)}: computed for {tried} among the ids {_among(change)}; the "
            "averages are exact for distinct hash values. --ids, --add and --remove take yours."
        )
    if any(found.how is How.BOUND for one in every for found in (one.once, one.single)):
        yield f"^ A bound: no order exceeds it, but it may not be reached (exact up to {PATTERNS} consumers)."
    if any(found.how is How.FOUND for one in every for found in (one.once, one.single)):
        yield "* Heuristic: only some orders were tried, so others may move fewer or more queues."
    if change.grown:
        where = (
            "after all old ones" if change.brokers == 1 else f"after the old ones of each of {change.brokers} brokers"
        )
        yield f"The new queues sort {where}. They can be added before any event, or last."
    yield "All consumers must see the same lists and use the same strategy."
    yield legend(one.mark for one in every)
