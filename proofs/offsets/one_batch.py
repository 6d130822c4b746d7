"""What is always so of an ordered queue that is handed over in turn: what was noted is not consumed again."""

from collections.abc import Mapping

import z3

from rebalance_proofs.model.offsets.orderly import NOWHERE
from rebalance_proofs.model.offsets.state import State
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import (
    ALONE,
    CONCERNED,
    HELD,
    SETTLED,
    STEADY,
    UNFIXED,
    Conjunct,
    answers,
    named,
    offsets,
    unreset,
)

__all__ = ["one_batch"]


def _asked(state: State) -> z3.BoolRef:
    me, queue, message = state.me, state.queue, state.message
    before = z3.Or(me.asking, z3.And(me.present, z3.Not(me.fixed)))
    behind = z3.And(
        queue.committed > message,
        z3.Implies(me.sending, me.sent > message),
        z3.Implies(z3.And(me.asking, me.answer >= 0), me.answer > message),
        z3.Implies(me.present, me.stands > message),
    )
    return z3.Implies(z3.And(before, queue.kept), behind)


def _consumed(state: State) -> z3.BoolRef:
    me, message = state.me, state.message
    further = z3.Or(me.next > message, me.next == NOWHERE)
    behind = z3.And(further, me.stands > message, z3.Not(me.cached), z3.Not(me.runs))
    return z3.Implies(z3.And(me.present, me.fixed, state.queue.kept), behind)


def _remembered(state: State) -> z3.BoolRef:
    me, message = state.me, state.message
    on_its_way = z3.Or(state.queue.committed > message, z3.And(me.sending, me.sent > message))
    forgotten = z3.And(me.memory == NO_OFFSET, on_its_way)
    return z3.Implies(z3.And(me.present, state.queue.kept), z3.Or(me.memory > message, forgotten))


def _sent(state: State) -> z3.BoolRef:
    me, message = state.me, state.message
    behind = z3.If(me.sending, me.sent > message, state.queue.committed > message)
    gone = z3.And(me.concerned, z3.Not(me.present))
    lost = z3.And(me.present, me.memory == NO_OFFSET)
    return z3.Implies(z3.And(state.queue.kept, z3.Or(gone, lost)), behind)


def _coming(state: State) -> z3.BoolRef:
    me, message = state.me, state.message
    return z3.And(
        z3.Implies(z3.And(me.present, me.noting), me.noted == me.stands),
        z3.Implies(z3.And(me.present, me.recording), me.recorded <= me.next),
        z3.Implies(z3.And(me.present, me.recording, me.next > message), me.recorded > message),
        z3.Implies(z3.And(me.present, me.recording, me.recorded > message), z3.Not(me.cached)),
    )


def _stands(state: State) -> z3.BoolRef:
    me, message = state.me, state.message
    done = z3.And(me.next > message, z3.Not(me.cached))
    return z3.And(
        z3.Implies(z3.And(me.present, done), me.stands > message),
        z3.Implies(z3.And(me.present, me.cached), z3.And(me.next > message, me.stands <= message)),
        z3.Implies(me.present, me.stands <= z3.If(me.next < 0, me.stands, me.next)),
        z3.Implies(me.runs, z3.And(me.cached, z3.Not(me.noting))),
    )


def _owed(state: State) -> z3.BoolRef:
    me = state.me
    noting = z3.And(me.noting, me.noted > state.message)
    return z3.Implies(me.owed, z3.And(me.present, z3.Not(me.runs), z3.Or(noting, me.dropped)))


def one_batch(world: Brokers) -> Mapping[str, Conjunct]:
    """That a message is consumed again only where it was not noted, and until it is nothing else is consumed."""
    return named(
        HELD,
        answers(world),
        offsets(world),
        CONCERNED,
        SETTLED,
        UNFIXED,
        ALONE,
        Conjunct("asked", "Who asks hears an offset behind what was noted.", _asked),
        Conjunct("consumed", "What was noted is not with an entry.", _consumed),
        Conjunct("remembered", "What was noted is below the offset in memory, or that was sent.", _remembered),
        Conjunct(
            "sent", "What was noted is below the offset that is sent, or committed, where it is forgotten.", _sent
        ),
        Conjunct("coming", "What is about to come into the memory is where the entry stands.", _coming),
        Conjunct("stands", "The entry stands behind what it has consumed.", _stands),
        Conjunct("owed", "Until a message is noted, nothing else is consumed.", _owed),
        STEADY,
        *unreset(world),
    )
