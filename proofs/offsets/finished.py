"""What is always so of messages that are committed when listeners are interrupted: their work is done."""

from collections.abc import Mapping
from dataclasses import replace

import z3

from rebalance_proofs.model.offsets.state import State
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import COMMITTED, Conjunct, named, not_skipped

__all__ = ["FINISHED", "finished"]


def _of_finished(conjunct: Conjunct, name: str) -> Conjunct:
    """The same, of messages whose work is done in the place of those that a listener has returned from."""

    def holds(state: State) -> z3.BoolRef:
        return conjunct.holds(replace(state, queue=replace(state.queue, consumed=state.queue.finished)))

    return Conjunct(name, conjunct.sentence.replace("consumed", "finished"), holds)


FINISHED = _of_finished(COMMITTED, "finished")


def finished(world: Brokers) -> Mapping[str, Conjunct]:
    """That a message is committed only when its work is done, or it was given back."""
    others = {name: conjunct for name, conjunct in not_skipped(world).items() if name != COMMITTED.name}
    return named(FINISHED, *(_of_finished(conjunct, name) for name, conjunct in others.items()))
