"""The actions of a consumer with a concurrent listener, as terms."""

from dataclasses import replace

import z3

from rebalance_proofs.model.offsets import actions, resets
from rebalance_proofs.model.offsets.actions import consumed, noted, turn
from rebalance_proofs.model.offsets.encoding import Act, Concurrently, Rebalance
from rebalance_proofs.model.offsets.interrupted import interruptible, interrupts, returns_interrupted
from rebalance_proofs.model.offsets.replica import beside_a_replica, replicates, swaps
from rebalance_proofs.model.offsets.state import Consumer, Said, State, Turn
from rebalance_proofs.model.offsets.watched import watched
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["encoding"]


def encoding(step: Rebalance) -> Concurrently:
    """Of a client with that rebalance."""
    parts: dict[str, Act] = {
        "arrives": actions.arrives,
        "asks": actions.asks,
        "adds": lambda state, said: actions.added(step, state, said),
        "pulls": actions.pulls,
        "passes": actions.passes,
        "starts": _starts,
        "ends": _ends,
        "ends_late": actions.ends_late,
        "cleans": _cleans,
        "fails": actions.fails,
        "others": _others,
        "empty": actions.empty,
        "records": actions.records,
        "copies": actions.copies,
        "finishes": actions.finishes,
        "sends": actions.sends,
        "commits": actions.commits,
        "marks": actions.marks,
        "revokes": lambda state, said: actions.revoked(step, state, said),
        "unsubscribes": actions.unsubscribes,
        "forgets": actions.forgets,
        "suspends": resets.suspends,
        "rewinds": resets.rewinds,
        "retires": lambda state, said: resets.retires(step, state, said),
        "shuts": actions.shuts,
        "crashes": actions.crashes,
        "interrupts": interrupts,
        "returns_interrupted": returns_interrupted,
        "replicates": replicates,
        "swaps": swaps,
    }
    kept = {name: interruptible(name, beside_a_replica(name, act)) for name, act in parts.items()}
    return Concurrently(step=step, **{name: watched(name, act) for name, act in kept.items()})


def _starts(state: State, said: Said) -> Turn:
    me = state.me
    can = z3.And(me.present, z3.Not(me.dropped), me.cached, z3.Not(me.runs), z3.Not(me.interrupted))
    return turn(state, can, replace(me, runs=YES))


def _left(me: Consumer, said: Said) -> z3.BoolRef:
    """``ProcessQueue.removeMessage`` can return that: the first offset that is left, or the one behind the last."""
    return z3.And(me.began <= said.offset, said.offset <= me.next)


def _ends(state: State, said: Said) -> Turn:
    me = state.me
    recorded = noted(replace(me, cached=NO), said.offset, said)
    notes = z3.Not(z3.Or(me.dropped, said.none))
    parts = {name: z3.If(notes, getattr(recorded, name), before) for name, before in vars(me).items()}
    # Where the message was taken out before, another one is still there.
    left = z3.And(_left(me, said), said.offset != state.message, z3.Or(me.cached, said.offset < me.next))
    can = z3.And(me.runs, z3.Implies(said.none, z3.Not(me.cached)), z3.Implies(notes, left))
    return turn(state, can, replace(Consumer(**parts), runs=NO), consumed(state.queue))


def _cleans(state: State, said: Said) -> Turn:
    """``ProcessQueue.cleanExpiredMsg``, of an entry that is still in the table."""
    me = state.me
    can = z3.And(me.present, me.cached)
    return turn(state, can, replace(me, cached=NO), replace(state.queue, given=YES))


def _others(state: State, said: Said) -> Turn:
    me = state.me
    left = z3.And(_left(me, said), z3.Implies(me.cached, said.offset <= state.message))
    return turn(state, z3.And(me.present, z3.Not(me.dropped), left), noted(me, said.offset, said))
