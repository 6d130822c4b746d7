"""One queue of a consumer, as terms: a schedule, with the longest time without a pull unknown."""

from dataclasses import dataclass

import z3

from rebalance_proofs.model.pulls.actions import PullsEncoding
from rebalance_proofs.model.pulls.state import Said, State, nothing
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.pulls.variables import SAID

__all__ = ["LIMIT", "Situation", "in_words", "situation"]

LIMIT = z3.Int("limit")
"""The unknown: ``pullMaxIdleTime``. Where time passes, it is one ms more."""


@dataclass(frozen=True)
class Situation:
    """What is asked of a schedule."""

    constraints: dict[str, z3.BoolRef]
    """Each action is possible in its turn; in words."""
    state: State
    """What is so in the end."""


def in_words(happens: Happens) -> str:
    """``takes (old)``."""
    told = ", ".join(name for name, value in happens.said if value)
    return f"{happens.action} ({told})" if told else happens.action


def situation(encoding: PullsEncoding, world: Troubles, schedule: Schedule) -> Situation:
    """The consumer has nothing to do with the queue at first."""
    state = State(nothing(), LIMIT)
    constraints = {"the longest time without a pull is no less than 0": LIMIT >= 0}
    for place, happens in enumerate(schedule, start=1):
        told = dict(happens.said)
        flags = {name: z3.BoolVal(told.get(name, False)) for name in SAID if name != "span"}
        said = Said(**flags, span=LIMIT + 1)
        turn = getattr(encoding, happens.action)(state, said)
        allowed = world.allows(encoding, happens.action, state, said)
        constraints[f"{place}: {in_words(happens)}"] = z3.simplify(z3.And(turn.can, allowed))
        state = turn.after
    return Situation(constraints, state)
