"""The terminal output of ``rebalance explore``, line by line."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from rebalance_proofs.report.claims.mark import BRIEFLY, GROUPS
from rebalance_proofs.report.index.entries import entry, word_of
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.spark_enum.explorer.explore import MANY, Explored, Found
from rebalance_proofs.spark_enum.explorer.model import RUNS, Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.trace import Step

SECONDS = 10
"""Seconds in a tick, the model's unit of time."""


def told(explored: Explored) -> Iterator[str]:
    """Yield the whole answer of ``rebalance explore``, line by line."""
    yield from heading(explored)
    yield ""
    for found in explored.found:
        yield f"FOUND  {found.watch.name}: {found.watch.sentence}"
        yield from (f"  {line}" for line in _ways(explored, found))
        yield ""
    for watch in explored.never:
        yield f"{'never' if explored.whole else 'NOT FOUND'}  {watch.name}: {watch.sentence}"
        yield from (f"  {line}" for line in claims(watch, others=explored.whole))
    if explored.never:
        yield ""
    yield from settling(explored)
    yield from went(explored)


def heading(explored: Explored) -> Iterator[str]:
    """Yield lines about the explored group and its settings."""
    yield from of_group(explored.subject, explored.settings, explored.model)


def of_group(subject: Subject, settings: Settings, model: Model) -> Iterator[str]:
    """Yield lines about a group and its settings before it is explored."""
    yield f"{model.sentence} {size(settings)}"
    told = subject.document(settings)
    others = {name: value for name, value in told.items() if name not in ("consumers", "queues")}
    if faults := others.pop("faults", None):
        yield "Possible faults: " + "; ".join(subject.faults[fault] for fault in faults) + "."
    elif "faults" in subject.takes:
        yield "Consumers join and shut down. Nothing else happens to them, and nothing fails."
    if others:
        yield "Settings: " + ", ".join(f"{name} {value}" for name, value in others.items()) + "."
    yield from [subject.remark(settings)] * bool(subject.remark(settings))


def size(settings: Settings) -> str:
    """Return the size of the group: ``2 consumers, 3 queues.``"""
    return f"{count(settings.consumers, 'consumer')}, {count(settings.queues, 'queue')}."


def _ways(explored: Explored, found: Found) -> Iterator[str]:
    product = explored.product
    yield often(explored, found)
    yield f"The shortest trace has {count(len(found.steps) - 1, 'step')}:"
    story = said(product.model, (step.move for step in found.steps))
    for number, ((before, step), what) in enumerate(zip(pairwise(found.steps), story[1:], strict=True), start=1):
        yield f"{number:>3}. {what}"
        if queues(product, step) != queues(product, before):
            yield f"     {queues(product, step)}"
    if found.needs is not None:
        yield needs(explored, found)
    yield from claims(found.watch, found=True)


def often(explored: Explored, found: Found) -> str:
    """Return a sentence with the number of states in which the bad state ``found`` occurs."""
    return f"Found in {found.states:,} of {count(explored.states, 'state')}."


def said(model: Model, moves: Iterable[Move | None]) -> list[str]:
    """Return a text for each move of a trace; None means the initial state.

    In models with time, each text begins with the elapsed seconds.
    """
    ticks, found = 0, []
    for move in moves:
        ticks += move is not None and move.name == model.tick
        time = f"[{SECONDS * ticks} s] " if model.tick and move else ""
        found.append(f"{time}{say(model, move)}" if move else "At first.")
    return found


def say(model: Model, move: Move) -> str:
    """Return a move of the model in words, such as what a consumer or the broker does."""
    return model.says[move.name].format(who=f"c{move.who}", queue=move.queue)


def queues(product: Product, step: Step) -> str:
    """Return the members of the group, and the owners of each queue, in the step's state."""
    members, rows = product.group(step.state)
    lives = product.model.ids(members)
    found = []
    for number, row in enumerate(rows):
        has = holders(product.model, row, consumers(product))
        found.append(f"queue {number}: {listing(has) if has else 'no consumer'}, {product.model.noted(row)}")
    group = f"members: {listing(f'c{who}' for who in sorted(lives)) if lives else 'none'}"
    return "; ".join([group, *found])


def holders(model: Model, row: Mapping[str, int], many: int) -> list[str]:
    """Return which of the first ``many`` consumers own a queue.

    ``row`` has its variables' values.
    """
    seen = {who: model.seen(row, who) for who in range(many)}
    return [f"c{who}" + (" (its listener runs)" if what == RUNS else "") for who, what in seen.items() if what]


def consumers(product: Product) -> int:
    """Return the largest number of consumers that the group can have."""
    return 1 + max(move.who for move in product.moves if move.who is not None)


def needs(explored: Explored, found: Found) -> str:
    """Return a sentence with the sets of faults that each suffice for the bad state in this group."""
    assert found.needs is not None
    sets = found.needs.faults
    if () in sets:
        return "Needs no fault: joins and shutdowns of consumers are enough."
    of = explored.subject.faults
    ways = ", or ".join(" and ".join(f"`{fault}` ({of[fault]})" for fault in faults) for faults in sets)
    each = "Any of these is enough" if len(sets) > 1 else "This is enough"
    return f"Needs a fault in groups of this size. {each}: {ways}."


def claims(watch: Watch, *, found: bool = False, others: bool = False) -> Iterator[str]:
    """Yield lines about claims on the bad state ``watch`` in groups of any size.

    ``found``: the state was found in this group. ``others``: the state never occurs in this group, so a claim that it
    can occur is about other groups.
    """
    for claim in watch.claims:
        expected = entry(claim).expected
        if not entry(claim).holds:
            where = " in other groups" if others else ""
            yield f"A refuted claim shows that this can happen{where}: {claim} ({expected}, {word_of(claim)})."
        elif found:
            yield f"DISAGREE: {claim} says that this never happens, for any number of consumers and queues."
        else:
            by = f"{claim} ({expected}, {word_of(claim)})"
            yield f"Never for any number of consumers and queues, under the assumptions of {by}."


def disagreeing(explored: Explored) -> tuple[str, ...]:
    """Return the claims, expected to be PROVED, that a finding of the exploration contradicts."""
    return tuple(claim for found in explored.found for claim in found.watch.claims if entry(claim).holds)


def settling(explored: Explored) -> Iterator[str]:
    """Yield lines about whether and how fast each queue of the group has one owner again."""
    settled, right = explored.settled, explored.model.right
    if right is None:
        return
    if settled is None:
        if explored.whole and explored.states > MANY:
            yield f"Settling was not checked: the group has more than {MANY:,} states."
            yield ""
        return
    since = "once no consumer joins or leaves, and nothing fails"
    if not settled.most:
        one = settled.counted.removesuffix("s")
        yield f"NOT SETTLED: from some of these states, no {one} can end."
        yield ""
        return
    if settled.within is None:
        yield f"NOT SETTLED within {settled.most} {settled.counted} {since}, from some of these states:"
        yield f"  {right.sentence}"
    else:
        yield f"Settled {_within(settled.within, settled.counted)} {since}, from each of these states:"
        yield f"  {right.sentence}"
    if settled.counted == "rounds":
        yield "  (In a round, every live consumer rebalances once, in any order; `rebalance settle` prints its time.)"
    else:
        yield "  (A tick is ten seconds.)"
    claimed = ", ".join(f"{claim} ({word_of(claim)})" for claim in right.claims)
    yield f"  Claims about parts of this, for any number of consumers and queues: {claimed}."
    yield ""


def _within(many: int, counted: str) -> str:
    return f"within {count(many, counted.removesuffix('s'))}" if many else "at once"


def went(explored: Explored) -> Iterator[str]:
    """Yield the numbers of states, transitions and moves, and whether all states were explored."""
    first = f"the first {count(len(explored.levels), 'level')}"
    covered = "all states" if explored.whole else f"NOT known to be all: {first}"
    yield (
        f"Explored: {count(explored.states, 'state')} ({covered}), {count(explored.transitions, 'transition')}, "
        f"{count(len(explored.levels), 'level')}{_stuck(explored)}; digest {explored.digest:016x}."
    )
    happened = ", ".join(f"{name} {many:,}" for name, many in explored.counts.items() if many)
    yield f"Moves: {happened}."
    if explored.idle:
        yield f"Moves that {'never happened' if explored.whole else 'did not happen'}: {', '.join(explored.idle)}."
    yield "This is no proof for larger groups. Limits of the model: docs/how-to/explore-a-group.md."
    yield f"Real clients: {real(explored.subject)}"
    if any(watch.claims for watch in explored.model.watches):
        yield BRIEFLY


def real(subject: Subject) -> str:
    """Return how recordings of real clients support the explored traces."""
    if "client" not in subject.takes:
        return f"{GROUPS}: these traces are of a model, which is not a real client."
    return (
        f"{GROUPS}: these traces are of the model. A test compares the model with random runs of groups of the "
        "clients' classes, rewritten in Python."
    )


def _stuck(explored: Explored) -> str:
    many = explored.stuck
    if many is None:
        return ""
    return f", {count(many, 'state') if many else 'no state'} without a move"
