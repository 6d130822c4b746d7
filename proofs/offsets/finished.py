"""Invariant about messages that are committed when listeners are interrupted: their processing is complete."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import Bool
from rebalance_proofs.model.offsets.state import Limits, Offsets
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import COMMITTED, Part, not_skipped

__all__ = ["finished"]


def _of_finished(conjunct: Part) -> Part:
    """Return the conjunct for messages whose processing is complete, instead of messages with a returned listener."""

    def holds(s: Offsets, lim: Limits) -> Bool:
        return conjunct.holds(s.but(consumed=s.finished), lim)

    name = "finished" if conjunct is COMMITTED else conjunct.name
    return replace(conjunct, name=name, sentence=conjunct.sentence.replace("consumed", "finished"), holds=holds)


def finished(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a message is committed only when its processing is complete, or it was given back."""
    return tuple(map(_of_finished, not_skipped(world)))
