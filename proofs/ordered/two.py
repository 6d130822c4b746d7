"""Unknowns and states of two consumers of one queue, which share the lock."""

from types import SimpleNamespace

from rebalance_proofs.model.machine.copies import OTHER, seen_as
from rebalance_proofs.model.machine.record import flags, shared
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.machine.configuration import part
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.proofs.records import made_once

OWN = tuple(name for name in CONFIGURATION.own if name not in shared(Ordered))
OTHERS = tuple(f"other_{name}" for name in OWN)
"""Names of the unknowns of the second consumer's state."""
OTHERS_FLAGS = tuple(f"other_{name}" for name in OWN if name in flags(Ordered))


def one(v: SimpleNamespace) -> Ordered:
    """Return the first consumer's state, made of the unknowns in ``v``."""
    return CONFIGURATION.given(v)[0]


@made_once
def other(v: SimpleNamespace) -> Ordered:
    """Return the second consumer's state, from its own viewpoint.

    If the second consumer holds the lock, its own state names itself as the holder; the first consumer's state names
    another consumer (``OTHER``).
    """
    return one(v).but(**part(Ordered, v, OWN, "other_{}".format), holder=seen_as(v.holder, OTHER))
