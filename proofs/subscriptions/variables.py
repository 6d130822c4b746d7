"""The unknowns of a statement about a topic's subscription, by name."""

from types import SimpleNamespace

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Said, State, Subscription
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, integers, made_once, record, record_of

__all__ = ["FLAGS", "LIMITS", "NAMES", "OWN", "SAID", "flags", "limits_of", "said_of", "state_of", "unknowns"]

OWN, LIMITS = field_names(Subscription), field_names(Limits)
SAID = tuple(f"said_{name}" for name in field_names(Said))
"""Two fields of a state have names of theirs."""
FLAGS = (*flag_names(Subscription), *(f"said_{name}" for name in flag_names(Said)))
NAMES = ("now", *OWN, *LIMITS, *SAID)
"""All of them; the flags are 0 or 1."""
unknowns = integers(NAMES)
"""Integers of these names."""
flags = flags_of(FLAGS)
"""What is a truth value is 0 or 1."""
said_of = record_of(Said, "said_")
"""What an action leaves open."""
limits_of = record_of(Limits)
"""The limits of time."""


@made_once
def state_of(v: SimpleNamespace) -> State:
    """What the broker has, and the member."""
    return State(v.now, record(Subscription, v))
