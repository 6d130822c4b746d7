"""The unknowns of a statement about a client's rebalance thread, by name."""

from types import SimpleNamespace

from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import Said, Service, State
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, integers, made_once, record, record_of

__all__ = ["FLAGS", "LIMITS", "NAMES", "OWN", "SAID", "flags", "limits_of", "said_of", "state_of", "unknowns"]

OWN, LIMITS, SAID = field_names(Service), field_names(Limits), field_names(Said)
FLAGS = (*flag_names(Service), *flag_names(Said))
NAMES = ("now", *OWN, *LIMITS, *SAID)
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
def state_of(v: SimpleNamespace) -> State:
    """The thread's state."""
    return State(v.now, record(Service, v))
