"""A topic's subscription and one member, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.actions import SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Said, State, started
from rebalance_proofs.proofs import timed_situation
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.numerals import numeral
from rebalance_proofs.proofs.subscriptions.members import Members
from rebalance_proofs.proofs.subscriptions.schedule import told

__all__ = ["Situation", "said_in", "situation"]


Situation = timed_situation.Situation[State, Limits]


def situation(
    encoding: SubscriptionsEncoding,
    world: Members,
    limits: Limits,
    schedule: Schedule,
    times: Sequence[z3.ArithRef],
    *,
    fingerprints: bool,
) -> Situation:
    """The schedule at those times, of a member whose first heartbeat came at 0; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)

    def acts(happens: Happens, before: State, at: z3.ArithRef) -> tuple[Sequence[z3.BoolRef], State]:
        state, said = State(at, before.me), said_in(happens, at)
        turn = getattr(encoding, happens.action)(state, said, limits)
        return (turn.can, world.allows(happens.action, state, said, limits)), turn.after

    first = State(now, started(now, limits.period, fingerprints=fingerprints))
    return timed_situation.situated(first, limits, schedule, times, world.waits, acts)


def said_in(happens: Happens, at: z3.ArithRef) -> Said:
    """What an action of a schedule leaves open, at that time."""
    given = told(dict(happens.said), at)
    terms: dict[str, Any] = {name: value if z3.is_expr(value) else numeral(value) for name, value in given.items()}
    return Said(**terms)
