"""Two consumers of one queue, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import NOBODY, Consumer, Lock, Said, State, nothing
from rebalance_proofs.proofs.happens import NAMES, Happens, Schedule
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.inductive import can_wait
from rebalance_proofs.proofs.ordered.kept import is_kept
from rebalance_proofs.proofs.ordered.schedule import RESTARTS
from rebalance_proofs.proofs.records import chosen

__all__ = ["Situation", "in_words", "situation"]


@dataclass(frozen=True)
class Situation:
    """What is asked of a schedule."""

    constraints: dict[str, z3.BoolRef]
    """Each action is possible in its turn; in words."""
    states: tuple[State, ...]
    """What is so in the end, by consumer."""

    @property
    def both(self) -> z3.BoolRef:
        """In the end the listeners of both run."""
        return z3.simplify(z3.And([state.me.runs for state in self.states]))

    @property
    def left_behind(self) -> z3.BoolRef:
        """In the end the first one is shut down, and has its lock still."""
        return z3.simplify(is_kept(self.states[0]))


def in_words(happens: Happens) -> str:
    """``X locks``."""
    return happens.action if happens.action == RESTARTS else f"{NAMES[happens.who]} {happens.action}"


def situation(
    encoding: OrderedEncoding,
    world: Circumstances,
    limits: Limits,
    schedule: Schedule,
    times: Sequence[z3.ArithRef],
) -> Situation:
    """The schedule at those times; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)
    consumers: list[Consumer] = [nothing(client_id, now) for client_id in world.client_ids]
    lock = Lock(z3.IntVal(NOBODY), now)
    constraints: dict[str, z3.BoolRef] = {}
    for place, (happens, at) in enumerate(zip(schedule, times, strict=True), start=1):
        before = [State(now, consumer, lock) for consumer in consumers]
        waits = [can_wait(one, at, limits) for one in before]
        waits += [world.waits(encoding.listed(one), one, at, limits) for one in before]
        now = at
        if happens.action == RESTARTS:
            can, lock = z3.BoolVal(True), Lock(z3.IntVal(NOBODY), lock.updated)
        else:
            state = State(now, consumers[happens.who], lock)
            said = chosen(Said, dict(happens.said))
            turn = getattr(encoding, happens.action)(state, said, limits)
            can = z3.And(turn.can, world.allows(encoding, happens.action, state, said, limits))
            consumers[happens.who], lock = turn.after.me, turn.after.lock
        constraints[f"{place}: {in_words(happens)}"] = z3.simplify(z3.And(*waits, can))
    return Situation(constraints, tuple(State(now, consumer, lock) for consumer in consumers))
