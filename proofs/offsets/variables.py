"""The unknowns of a statement about one consumer's offsets, by name."""

from types import SimpleNamespace

import z3

from rebalance_proofs.model.offsets.state import Consumer, Queue, Said, State
from rebalance_proofs.proofs.records import Unknowns, field_names, flag_names, made_once, record, truths

__all__ = ["FLAGS", "NAMES", "OWN", "SAID", "SHARED", "flags", "said_of", "state_of", "unknowns"]

OWN, SHARED, SAID = field_names(Consumer), field_names(Queue), field_names(Said)
FLAGS = tuple(name for kind in (Consumer, Queue, Said) for name in flag_names(kind))
NAMES = (*OWN, *SHARED, "message", "where", *SAID)
"""All of them; the flags are 0 or 1."""


def unknowns() -> Unknowns:
    """Integers of these names."""
    return Unknowns(**{name: z3.Int(name) for name in NAMES})


@made_once
def flags(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """What is a truth value is 0 or 1."""
    return truths(v, FLAGS)


@made_once
def state_of(v: SimpleNamespace) -> State:
    """The consumer's state, and what is shared."""
    return State(record(Consumer, v), record(Queue, v), v.message, v.where)


@made_once
def said_of(v: SimpleNamespace) -> Said:
    """What an action leaves open."""
    return record(Said, v)
