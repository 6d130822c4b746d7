"""The unknowns of a statement about a member of a group and a broker, by name."""

from types import SimpleNamespace

import z3

from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, State
from rebalance_proofs.proofs.records import Unknowns, field_names, flag_names, made_once, record, truths

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


def unknowns() -> Unknowns:
    """Integers of these names."""
    return Unknowns(**{name: z3.Int(name) for name in NAMES})


@made_once
def flags(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """What is a truth value is 0 or 1."""
    return truths(v, FLAGS)


@made_once
def state_of(v: SimpleNamespace) -> State:
    """The member's state."""
    return State(v.now, record(Member, v))


def other_of(v: SimpleNamespace) -> State:
    """The same member's at another broker, of the unknowns ``OTHER``."""
    return State(v.now, record(Member, SimpleNamespace(**{name: getattr(v, f"other_{name}") for name in OWN})))


@made_once
def said_of(v: SimpleNamespace) -> Said:
    """What an action leaves open."""
    return record(Said, v)


@made_once
def limits_of(v: SimpleNamespace) -> Limits:
    """The limits of time."""
    return record(Limits, v)
