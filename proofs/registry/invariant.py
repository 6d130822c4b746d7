"""What is always so of a member at a broker: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.registry.actions import listed
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import State

__all__ = [
    "AGAIN",
    "AGREE",
    "ANEW",
    "AT_ONCE",
    "GONE",
    "LISTED",
    "NOT_STARTED",
    "ONCE",
    "ONCE_AGAIN",
    "ROUTED",
    "TOLD",
    "TOLD_LATE",
    "Conjunct",
    "Conjuncts",
]


@dataclass(frozen=True)
class Conjunct:
    """One part of an invariant."""

    name: str
    sentence: str
    holds: Callable[[State, Limits], z3.BoolRef]


Conjuncts = Mapping[str, Conjunct]


def _named(*conjuncts: Conjunct) -> Conjuncts:
    return {conjunct.name: conjunct for conjunct in conjuncts}


PAST = Conjunct(
    "past",
    "What was, was before.",
    lambda state, limits: z3.And(
        state.me.at <= state.now, z3.Implies(state.me.old, state.me.old_at <= state.now), state.me.change <= state.now
    ),
)
BEATING = Conjunct(
    "beating",
    "Of a member that lives a heartbeat was heard in time.",
    lambda state, limits: z3.Implies(state.me.alive, state.now <= state.me.at + limits.beat),
)
LEFT = Conjunct(
    "left",
    "Who lives, or was shut down and says good-bye, has a process that lives.",
    lambda state, limits: z3.And(
        z3.Implies(state.me.leaving, z3.And(z3.Not(state.me.alive), state.me.running)),
        z3.Implies(state.me.alive, state.me.running),
    ),
)
LISTS = Conjunct(
    "lists",
    "A member that lives, and was registered, is listed by its newest connection.",
    lambda state, limits: z3.Implies(z3.And(state.me.alive, state.me.known), state.me.mine),
)
OWN_RECORD = Conjunct(
    "own-record",
    "The record into which a heartbeat is about to put a channel is the group's.",
    lambda state, limits: z3.Not(state.me.orphan),
)
SINCE = Conjunct(
    "since",
    "Of a member that lives and is not listed by its newest connection nothing was heard since the last change.",
    lambda state, limits: z3.Implies(z3.And(state.me.alive, z3.Not(state.me.mine)), state.me.at <= state.me.change),
)
SCANNED = Conjunct(
    "scanned",
    "The last scan was in time, and has left no channel that it should have removed.",
    lambda state, limits: z3.And(
        state.me.scanned <= state.now,
        state.now <= state.me.scanned + limits.scan,
        z3.Implies(state.me.mine, state.me.scanned <= state.me.at + limits.expired),
        z3.Implies(state.me.old, state.me.scanned <= state.me.old_at + limits.expired),
    ),
)
BEFORE = Conjunct(
    "before",
    "Nothing was heard of a member since it has gone, nor by an earlier connection since there is a new one.",
    lambda state, limits: z3.And(
        z3.Implies(z3.And(state.me.mine, z3.Not(state.me.alive)), state.me.at <= state.me.change),
        z3.Implies(state.me.old, state.me.old_at <= state.me.change),
    ),
)
SHUT = Conjunct(
    "shut",
    "Who lives has a start that has not thrown.",
    lambda state, limits: z3.Implies(state.me.threw, z3.Not(state.me.alive)),
)
UP = Conjunct(
    "up",
    "A newest connection that is listed is open, or was closed by the system of a process that died, and nothing else.",
    lambda state, limits: z3.And(
        z3.Implies(state.me.mine, z3.Or(state.me.link, state.me.closing)),
        z3.Implies(state.me.died, z3.And(z3.Not(state.me.link), z3.Not(state.me.running), z3.Not(state.me.alive))),
        z3.Implies(state.me.alive, state.me.running),
        z3.Implies(state.me.closing, z3.Not(state.me.running)),
    ),
)
OPEN = Conjunct(
    "open",
    "While a heartbeat is registered, its connection is open.",
    lambda state, limits: z3.Implies(state.me.finding, state.me.link),
)
JUST_NOW = Conjunct(
    "just-now",
    "What the system of a process that died has closed, it has closed just now.",
    lambda state, limits: z3.Implies(z3.And(state.me.died, state.me.closing), state.me.change == state.now),
)
SINGLE = Conjunct("single", "No earlier connection is listed.", lambda state, limits: z3.Not(state.me.old))
TELLS = Conjunct("tells", "All that has changed was told.", lambda state, limits: z3.Not(state.me.stale))
KEPT = Conjunct(
    "kept",
    "What has changed is collected; and was taken, if what is collected was.",
    lambda state, limits: z3.And(
        z3.Implies(state.me.stale, state.me.collected),
        z3.Implies(state.me.copying, state.me.taken == state.me.collected),
    ),
)
SENDS = Conjunct(
    "sends",
    "What has changed and was not told has changed since notifications were last sent, and that is not too long ago.",
    lambda state, limits: z3.And(
        state.me.flushed <= state.now,
        state.now <= state.me.flushed + limits.collect,
        z3.Implies(state.me.stale, state.me.flushed <= state.me.stale_at),
    ),
)
GREETS = Conjunct(
    "greets",
    "Who is connected, and not listed by that connection, has connected just now, and a heartbeat is sent.",
    lambda state, limits: z3.And(
        z3.Implies(
            z3.And(state.me.alive, state.me.link, z3.Not(state.me.mine)),
            z3.And(state.me.anew, state.me.change == state.now),
        ),
    ),
)
POLLED = Conjunct(
    "polled",
    "The last answer about the route came in time; and before the route changed, if it was not of the new one.",
    lambda state, limits: z3.And(
        state.me.polled <= state.now,
        state.now <= state.me.polled + limits.poll,
        z3.Implies(z3.And(state.me.moved, z3.Not(state.me.seen)), state.me.polled <= state.me.moved_at),
    ),
)

LISTED = _named(BEATING, LEFT, LISTS)
AGAIN = _named(PAST, BEATING, LEFT, SINCE, OWN_RECORD)
GONE = _named(PAST, SCANNED, BEFORE)
NOT_STARTED = _named(PAST, SCANNED, BEFORE, SHUT)
AT_ONCE = _named(UP, OPEN, JUST_NOW)
ONCE = _named(SINGLE)
ONCE_AGAIN = _named(SCANNED)
AGREE = _named(PAST, BEATING, LEFT, SINCE, OWN_RECORD, SCANNED, BEFORE)
TOLD = _named(TELLS)
TOLD_LATE = _named(KEPT, SENDS)
ANEW = _named(LEFT, OWN_RECORD, GREETS)
ROUTED = _named(POLLED)


def right(state: State) -> z3.BoolRef:
    """The broker lists the member if it lives, and not twice."""
    return z3.And(listed(state.me) == state.me.alive, z3.Not(z3.And(state.me.mine, state.me.old)))
