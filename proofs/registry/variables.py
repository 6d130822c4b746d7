"""The unknowns of a statement about a member of a group and a broker, by name."""

from types import SimpleNamespace

from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, State
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, integers, made_once, record, record_of

__all__ = [
    "FLAGS",
    "LIMITS",
    "NAMES",
    "OTHER",
    "OWN",
    "SAID",
    "flags",
    "limits_of",
    "other_of",
    "said_of",
    "state_of",
    "unknowns",
]

OWN, LIMITS, SAID = field_names(Member), field_names(Limits), field_names(Said)
FLAGS = (*flag_names(Member), *flag_names(Said))
NAMES = ("now", *OWN, *LIMITS, *SAID)
"""All of them; the flags are 0 or 1."""
OTHER = tuple(f"other_{name}" for name in OWN)
"""What another broker has of the same member."""
unknowns = integers(NAMES)
"""Integers of these names."""
flags = flags_of(FLAGS)
"""What is a truth value is 0 or 1."""
said_of = record_of(Said)
"""What an action leaves open."""
limits_of = record_of(Limits)
"""The limits of time."""
_other = record_of(Member, "other_")


@made_once
def state_of(v: SimpleNamespace) -> State:
    """The member's state."""
    return State(v.now, record(Member, v))


def other_of(v: SimpleNamespace) -> State:
    """The same member's at another broker, of the unknowns ``OTHER``."""
    return State(v.now, _other(v))
