"""The unknowns of a statement about one consumer's state, by name."""

from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Consumer, Lock, Said, State
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, integers, made_once, record, record_of

__all__ = ["FLAGS", "ME", "NAMES", "OTHER", "SAID", "flags", "limits_of", "said_of", "state_of", "unknowns"]

ME, OTHER = 1, 2
"""The client ids of the consumer that is spoken of, and of all others."""

SAID = field_names(Said)
FLAGS = (*flag_names(Consumer), *flag_names(Said))
NAMES = ("now", *field_names(Consumer, "client_id"), *field_names(Lock), *field_names(Limits), *SAID)
"""All of them; the flags are 0 or 1."""
unknowns = integers(NAMES)
"""Integers of these names."""
flags = flags_of(FLAGS)
"""What is a truth value is 0 or 1."""
said_of = record_of(Said)
"""What an action leaves open."""
limits_of = record_of(Limits)
"""The limits of time."""


@made_once
def state_of(v: SimpleNamespace, client_id: int = ME) -> State:
    """The consumer's state, and the broker's lock."""
    return State(v.now, record(Consumer, v, client_id=z3.IntVal(client_id)), record(Lock, v))
