"""Two consumers of one queue, as terms: a schedule about one message, whose offset is unknown."""

from dataclasses import dataclass

import z3

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, Said, State, nothing
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.happens import NAMES, Happens, Schedule
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.schedule import alone
from rebalance_proofs.proofs.offsets.variables import SAID, SHARED

__all__ = ["MESSAGE", "WHERE", "Situation", "in_words", "situation", "unconsumed"]

MESSAGE, WHERE = z3.Int("message"), z3.Int("where")
"""The unknowns: the message's offset, and where the group begins without an offset."""


@dataclass(frozen=True)
class Situation:
    """What is asked of a schedule."""

    constraints: dict[str, z3.BoolRef]
    """Each action is possible in its turn; in words."""
    states: tuple[State, ...]
    """What is so in the end, by consumer."""


def in_words(happens: Happens) -> str:
    """``X asks``."""
    return f"{NAMES[happens.who]} {happens.action}"


def situation(encoding: OffsetsEncoding, world: Brokers, schedule: Schedule) -> Situation:
    """One message is there that nobody has consumed; what is committed, if anything is, is its offset."""
    consumers: list[Consumer] = [nothing(), nothing()]
    committed = MESSAGE if world.committed else z3.IntVal(NONE)
    copied = committed if world.copied else z3.IntVal(NONE)
    queue = unconsumed(committed, MESSAGE, copied=copied, arrives=world.later)
    constraints = dict(world.given(State(nothing(), queue, MESSAGE, WHERE)))
    for place, happens in enumerate(schedule, start=1):
        before = State(consumers[happens.who], queue, MESSAGE, WHERE)
        said = _said(happens)
        turn = getattr(encoding, happens.action)(before, said)
        can = z3.And(
            turn.can, world.allows(happens.action, before, said), alone(happens.action, before, said, world.way)
        )
        consumers[happens.who], queue = turn.after.me, turn.after.queue
        constraints[f"{place}: {in_words(happens)}"] = z3.simplify(can)
    return Situation(constraints, tuple(State(one, queue, MESSAGE, WHERE) for one in consumers))


def unconsumed(committed: z3.ArithRef, message: z3.ArithRef, *, copied: z3.ArithRef, arrives: bool = False) -> Queue:
    """A queue of that message, as it is at first; ``copied``: what a replica has as the committed offset; ``arrives``:
    the message is to come."""
    flags = {name: NO for name in SHARED if name not in ("committed", "end", "copied")}
    return Queue(committed=committed, end=message if arrives else message + 1, copied=copied, **flags)


def _said(happens: Happens) -> Said:
    """Offsets that are open are the one behind the message: there is no other one."""
    told = dict(happens.said)
    flags = {name: z3.BoolVal(told.get(name, False)) for name in SAID if name != "offset"}
    return Said(**flags, offset=MESSAGE + 1)
