"""The unknowns of a statement about one queue's pull requests, by name."""

from types import SimpleNamespace

from rebalance_proofs.model.pulls.state import Consumer, Said, State
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, integers, made_once, record, record_of

__all__ = ["FLAGS", "NAMES", "OWN", "SAID", "flags", "said_of", "state_of", "unknowns"]

OWN, SAID = field_names(Consumer), field_names(Said)
FLAGS = tuple(name for kind in (Consumer, Said) for name in flag_names(kind))
NAMES = (*OWN, "limit", *SAID)
"""All of them; the flags are 0 or 1."""
unknowns = integers(NAMES)
"""Integers of these names."""
flags = flags_of(FLAGS)
"""What is a truth value is 0 or 1."""
said_of = record_of(Said)
"""What an action leaves open."""


@made_once
def state_of(v: SimpleNamespace) -> State:
    """The consumer's state."""
    return State(record(Consumer, v), v.limit)
