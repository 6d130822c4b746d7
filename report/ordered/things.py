"""What the trace of a run shows, step by step: each consumer's entry and listener, and whose the broker's lock is."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.model.ordered.state import NOBODY as FREE
from rebalance_proofs.proofs.happens import NAMES
from rebalance_proofs.proofs.ordered.run import Run
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.things import BOTH, FIRST, NOBODY, SECOND, Thing, consumers

__all__ = ["things"]


def things(example: Counterexample) -> Iterator[Thing]:
    """The lock last."""
    yield from consumers(NAMES)
    run: Run = example.group
    ids = run.world.client_ids
    names = {FREE: "nobody's"} | {own: " or ".join(_with(ids, own)) for own in ids}
    colours = {own: BOTH if len(_with(ids, own)) > 1 else (FIRST, SECOND)[ids.index(own)] for own in ids}
    yield Thing(
        "holder",
        "lock",
        "broker",
        words=lambda who: names[who],
        owner=lambda who: colours.get(who, NOBODY),
        meaning="To whom the broker has granted the queue's lock; it knows consumers by their client ids alone.",
    )


def _with(ids: Sequence[int], own: int) -> list[str]:
    """The consumers of that client id."""
    return [name for name, one in zip(NAMES, ids, strict=True) if one == own]
