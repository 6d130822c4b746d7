"""The unknowns of a statement about a topic's subscription, by name."""

from types import SimpleNamespace

import z3

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Said, State, Subscription
from rebalance_proofs.proofs.records import Unknowns, field_names, flag_names, made_once, record, truths

__all__ = ["FLAGS", "LIMITS", "NAMES", "OWN", "SAID", "flags", "limits_of", "said_of", "state_of", "unknowns"]

OWN, LIMITS = field_names(Subscription), field_names(Limits)
SAID = tuple(f"said_{name}" for name in field_names(Said))
"""Two fields of a state have names of theirs."""
FLAGS = (*flag_names(Subscription), *(f"said_{name}" for name in flag_names(Said)))
NAMES = ("now", *OWN, *LIMITS, *SAID)
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
    """What the broker has, and the member."""
    return State(v.now, record(Subscription, v))


@made_once
def said_of(v: SimpleNamespace) -> Said:
    """What an action leaves open."""
    return record(Said, SimpleNamespace(**{name: getattr(v, f"said_{name}") for name in field_names(Said)}))


@made_once
def limits_of(v: SimpleNamespace) -> Limits:
    """The limits of time."""
    return record(Limits, v)
