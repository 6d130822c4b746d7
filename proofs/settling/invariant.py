"""What is always so of a client's rebalance thread: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.settling.actions import period
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN, State

__all__ = ["Conjunct", "apart", "settles", "soon", "woken_by"]


@dataclass(frozen=True)
class Conjunct:
    """One part of the invariant."""

    name: str
    sentence: str
    holds: Callable[[State, Limits], z3.BoolRef]
    at_first: bool = True
    """It says something of a thread that has just been started."""


Conjuncts = Mapping[str, Conjunct]


def _at(state: State, *places: int) -> z3.BoolRef:
    return z3.Or([state.me.at == place for place in places])


def _named(*conjuncts: Conjunct) -> Conjuncts:
    return {conjunct.name: conjunct for conjunct in conjuncts}


def _past(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        z3.Implies(me.changed, me.change <= state.now),
        z3.Implies(me.heard, z3.And(me.changed, me.heard_at >= me.change, me.heard_at <= state.now)),
        z3.Implies(me.told, z3.And(me.changed, z3.Not(me.heard))),
        z3.Implies(me.fresh, z3.And(me.changed, me.at == RUNS)),
        me.last <= state.now,
    )


PAST = Conjunct("past", "What was, was before; and what is because of the change, is after it.", _past)
PLACE = Conjunct("place", "The thread is somewhere.", lambda state, limits: _at(state, *range(LOOKS, RUNS + 1)))
AHEAD = Conjunct(
    "ahead",
    "No wait is shorter than nothing.",
    lambda state, limits: z3.Implies(_at(state, LOOKS, RESETS), state.me.interval >= 0),
)
RUNNING = Conjunct(
    "running",
    "A rebalance under way is not over its time; one that began after the change, began so.",
    lambda state, limits: z3.Implies(
        state.me.at == RUNS,
        z3.And(
            state.me.began <= state.now,
            state.now <= state.me.began + limits.loop,
            z3.Implies(z3.And(state.me.changed, z3.Not(state.me.fresh)), state.me.began <= state.me.change),
        ),
    ),
)


def _waiting(client: SettlingClient) -> Conjunct:
    def holds(state: State, limits: Limits) -> z3.BoolRef:
        me, latest = state.me, state.me.last + period(limits, least=client.least)
        return z3.And(
            z3.Implies(_at(state, LOOKS, RESETS), state.now + me.interval <= latest),
            z3.Implies(
                _at(state, WAITS),
                z3.And(me.since + me.interval <= latest, state.now <= me.since + me.interval),
            ),
            z3.Implies(_at(state, CLEARS, WOKEN), state.now <= latest),
        )

    return Conjunct("waiting", "No wait is over its time, which is counted from the last rebalance.", holds)


def _owed(client: SettlingClient) -> Conjunct:
    def holds(state: State, limits: Limits) -> z3.BoolRef:
        me, longest = state.me, period(limits, least=client.least)
        stale = me.began + 2 * limits.loop + longest
        runs = z3.If(me.fresh, me.began + limits.loop, stale)
        next_one = me.last + longest + limits.loop
        late = z3.If(me.at == RUNS, runs, next_one)
        return z3.Implies(z3.And(me.changed, z3.Not(me.right)), late <= me.due)

    return Conjunct("owed", "The next rebalance that sees the change will have ended in time.", holds)


def settles(client: SettlingClient) -> Conjuncts:
    """That the change is seen in time."""
    return _named(PAST, PLACE, AHEAD, RUNNING, _waiting(client), _owed(client))


def woken_by(state: State, limits: Limits, client: SettlingClient) -> z3.ArithRef:
    """When a client that was notified is right, if no wake-up is lost."""
    by: z3.ArithRef = state.me.heard_at + 2 * limits.loop + (limits.least if client.least else 0)
    return by


def _latched(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        z3.Implies(z3.And(me.at == WAITS, me.flag), z3.Or(me.open, me.waking)),
        z3.Implies(me.at == RESETS, z3.Not(me.flag)),
    )


def soon(client: SettlingClient) -> Conjuncts:
    """That one who is notified sees the change at once, or as soon as the rebalance under way has ended."""

    def answered(state: State, limits: Limits) -> z3.BoolRef:
        me, by = state.me, woken_by(state, limits, client)
        begins = by - limits.loop
        early = me.last + limits.least if client.least else me.heard_at
        stale = z3.And(me.flag, me.began <= me.heard_at)
        places = z3.And(
            z3.Implies(me.at == RUNS, z3.Or(z3.And(me.fresh, me.began <= begins), z3.And(z3.Not(me.fresh), stale))),
            z3.Implies(me.at != RUNS, me.last <= me.heard_at + limits.loop),
            z3.Implies(_at(state, LOOKS), z3.Or(me.flag, state.now + me.interval <= early)),
            z3.Implies(_at(state, LOOKS, CLEARS, WOKEN), state.now <= begins),
            z3.Implies(_at(state, RESETS), state.now + me.interval <= early),
            z3.Implies(_at(state, WAITS), z3.Or(me.open, me.waking, me.since + me.interval <= early)),
            z3.Implies(_at(state, WAITS), state.now <= begins),
        )
        return z3.Implies(z3.And(me.heard, z3.Not(me.right)), places)

    latched = Conjunct("latched", "A thread whose flag is set does not wait.", _latched)
    waits = Conjunct("answered", "A notification that was heard is being answered.", answered)
    return _named(PAST, PLACE, AHEAD, RUNNING, latched, waits)


def apart(client: SettlingClient) -> Conjuncts:
    """That rebalances are apart."""

    def begun(state: State, limits: Limits) -> z3.BoolRef:
        me = state.me
        return z3.Implies(me.at == RUNS, me.began >= me.last + limits.least)

    return _named(Conjunct("begun", "A rebalance under way began no sooner.", begun, at_first=False))
