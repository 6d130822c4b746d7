"""Invariant that committed messages are completely processed, despite interrupted listeners."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import Bool
from rebalance_proofs.model.offsets.state import Limits, Offsets
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import COMMITTED, Part, not_skipped


def _of_finished(conjunct: Part) -> Part:
    """Return the conjunct, stated for completely processed messages.

    The original is about messages whose listener has returned.
    """

    def holds(s: Offsets, lim: Limits) -> Bool:
        return conjunct.holds(s.but(consumed=s.finished), lim)

    name = "finished" if conjunct is COMMITTED else conjunct.name
    return replace(conjunct, name=name, sentence=conjunct.sentence.replace("consumed", "finished"), holds=holds)


def finished(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that only processed or given back messages are committed."""
    return tuple(map(_of_finished, not_skipped(world)))
