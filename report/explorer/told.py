"""An exploration in words, line by line."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.index.entries import entry
from rebalance_proofs.report.mark import BRIEFLY, GROUPS
from rebalance_proofs.report.marks import mark_of
from rebalance_proofs.spark_enum.explorer.explore import MANY, Explored, Found
from rebalance_proofs.spark_enum.explorer.model import RUNS, Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.trace import Step

__all__ = [
    "claims",
    "consumers",
    "disagreeing",
    "heading",
    "holders",
    "needs",
    "of_group",
    "often",
    "queues",
    "real",
    "said",
    "say",
    "settling",
    "size",
    "told",
    "went",
]

SECONDS = 10
"""Seconds that one tick stands for."""


def told(explored: Explored) -> Iterator[str]:
    """The whole answer."""
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
    """The explored group and its settings."""
    yield from of_group(explored.subject, explored.settings, explored.model)


def of_group(subject: Subject, settings: Settings, model: Model) -> Iterator[str]:
    """The same from the parts, before anything is explored."""
    yield f"{model.sentence} {size(settings)}"
    told = subject.document(settings)
    others = {name: value for name, value in told.items() if name not in ("consumers", "queues")}
    if faults := others.pop("faults", None):
        yield "What may happen besides: " + "; ".join(subject.faults[fault] for fault in faults) + "."
    elif "faults" in subject.takes:
        yield "Consumers join, and are shut down; nothing else happens to them, and nothing fails."
    if others:
        yield "Settings: " + ", ".join(f"{name} {value}" for name, value in others.items()) + "."


def size(settings: Settings) -> str:
    """Size of the group: ``2 consumers, 3 queues.``"""
    return f"{count(settings.consumers, 'consumer')}, {count(settings.queues, 'queue')}."


def _ways(explored: Explored, found: Found) -> Iterator[str]:
    product = explored.product
    yield often(explored, found)
    yield f"The shortest way has {count(len(found.steps) - 1, 'step')}:"
    story = said(product.model, (step.move for step in found.steps))
    for number, ((before, step), what) in enumerate(zip(pairwise(found.steps), story[1:], strict=True), start=1):
        yield f"{number:>3}. {what}"
        if queues(product, step) != queues(product, before):
            yield f"     {queues(product, step)}"
    if found.needs is not None:
        yield needs(explored, found)
    yield from claims(found.watch, found=True)


def often(explored: Explored, found: Found) -> str:
    """Number of states in which the finding holds."""
    return f"It is so in {found.states:,} of {count(explored.states, 'state')}."


def said(model: Model, moves: Iterable[Move | None]) -> list[str]:
    """Moves in words, in order; None is the initial state. Models with time put the elapsed seconds in front."""
    ticks, found = 0, []
    for move in moves:
        ticks += move is not None and move.name == model.tick
        time = f"[{SECONDS * ticks} s] " if model.tick and move else ""
        found.append(f"{time}{say(model, move)}" if move else "At first.")
    return found


def say(model: Model, move: Move) -> str:
    """One move in words."""
    return model.says[move.name].format(who=f"c{move.who}", queue=move.queue)


def queues(product: Product, step: Step) -> str:
    """Owners of each queue in the step's state, and the members of the group."""
    members, rows = product.group(step.state)
    lives = product.model.ids(members)
    found = []
    for number, row in enumerate(rows):
        has = holders(product.model, row, consumers(product))
        found.append(f"queue {number}: {listing(has) if has else 'nobody'}, {product.model.noted(row)}")
    group = f"in the group: {listing(f'c{who}' for who in sorted(lives)) if lives else 'nobody'}"
    return "; ".join([group, *found])


def holders(model: Model, row: Mapping[str, int], many: int) -> list[str]:
    """Those of the first ``many`` consumers that have the queue; ``row``: the queue's numbers by name."""
    seen = {who: model.seen(row, who) for who in range(many)}
    return [f"c{who}" + (" (its listener runs)" if what == RUNS else "") for who, what in seen.items() if what]


def consumers(product: Product) -> int:
    """The largest number of consumers in the group."""
    return 1 + max(move.who for move in product.moves if move.who is not None)


def needs(explored: Explored, found: Found) -> str:
    """Sets of faults that each suffice for the finding in this group, or that it takes none."""
    assert found.needs is not None
    sets = found.needs.faults
    if () in sets:
        return "It takes no fault: that consumers join, or are shut down, is enough."
    of = explored.subject.faults
    ways = ", or ".join(" and ".join(f"`{fault}` ({of[fault]})" for fault in faults) for faults in sets)
    each = "any of these is enough" if len(sets) > 1 else "this is enough"
    return f"It takes a fault in groups of this size: {each}: {ways}."


def claims(watch: Watch, *, found: bool = False, others: bool = False) -> Iterator[str]:
    """Claims about the same, for any number of consumers and queues.

    ``found``: it was found in this group; ``others``: it never occurs in this group, so a claim that it can speaks of
    other groups.
    """
    for claim in watch.claims:
        expected = entry(claim).expected
        if not entry(claim).holds:
            where = " in other groups" if others else ""
            yield f"That it can be so{where} is claimed: {claim} ({expected}, {mark_of(claim)})."
        elif found:
            yield f"DISAGREE: {claim} says that it is never so, for any number of consumers and queues."
        else:
            by = f"{claim} ({expected}, {mark_of(claim)})"
            yield f"It is never so for any number of consumers and queues, within the premises of {by}."


def disagreeing(explored: Explored) -> tuple[str, ...]:
    """Claims expected to be PROVED that a finding of the exploration contradicts."""
    return tuple(claim for found in explored.found for claim in found.watch.claims if entry(claim).holds)


def settling(explored: Explored) -> Iterator[str]:
    """Whether and how fast the group settles."""
    settled, right = explored.settled, explored.model.right
    if right is None:
        return
    if settled is None:
        if explored.whole and explored.states > MANY:
            yield f"Whether the group settles was not asked: there are more than {MANY:,} states."
            yield ""
        return
    since = "when nobody comes or goes any more, and nothing fails"
    if not settled.most:
        one = settled.counted.removesuffix("s")
        yield f"NOT SETTLED: from some of these states no {one} can come to its end any more."
        yield ""
        return
    if settled.within is None:
        yield f"NOT SETTLED within {settled.most} {settled.counted} {since}, from some of these states:"
        yield f"  {right.sentence}"
    else:
        yield f"Settled {_within(settled.within, settled.counted)} {since}, from each of these states:"
        yield f"  {right.sentence}"
    if settled.counted == "rounds":
        yield "  (In a round every consumer that lives rebalances once, in any order; its time: `rebalance settle`.)"
    else:
        yield "  (A tick is ten seconds.)"
    claimed = ", ".join(f"{claim} ({mark_of(claim)})" for claim in right.claims)
    yield f"  For any number of consumers and queues parts of it are claimed: {claimed}."
    yield ""


def _within(many: int, counted: str) -> str:
    return f"within {count(many, counted.removesuffix('s'))}" if many else "at once"


def went(explored: Explored) -> Iterator[str]:
    """Counts of states, transitions and moves, and how complete they are."""
    first = f"the first {count(len(explored.levels), 'level')}"
    covered = "all that there are" if explored.whole else f"NOT known to be all: {first}"
    yield (
        f"Gone through: {count(explored.states, 'state')} ({covered}), {count(explored.transitions, 'transition')}, "
        f"{count(len(explored.levels), 'level')}{_stuck(explored)}; digest {explored.digest:016x}."
    )
    happened = ", ".join(f"{name} {many:,}" for name, many in explored.counts.items() if many)
    yield f"What happened how often: {happened}."
    if explored.idle:
        yield f"What {'never happened' if explored.whole else 'did not happen in them'}: {', '.join(explored.idle)}."
    yield "These are bounds, and no proof for larger groups; what the model leaves out: docs/how-to/explore-a-group.md."
    yield f"Real clients: {real(explored.subject)}"
    if any(watch.claims for watch in explored.model.watches):
        yield BRIEFLY


def real(subject: Subject) -> str:
    """The evidence from real clients behind the explored traces."""
    if "client" not in subject.takes:
        return f"{GROUPS}: runs of a model that is no client's."
    return (
        f"{GROUPS}: runs of the model, against which a test holds random walks of groups of the clients' classes, as "
        "they are written here in Python."
    )


def _stuck(explored: Explored) -> str:
    many = explored.stuck
    if many is None:
        return ""
    return f", {count(many, 'state') if many else 'no state'} without a move"
