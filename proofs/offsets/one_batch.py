"""Invariant about ordered consumers: a recorded message is not consumed again.

The consumers own the queue one after another, without overlap.
"""

from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or
from rebalance_proofs.model.offsets.state import NOWHERE, Limits, Offsets, concerned
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import (
    ALONE,
    CONCERNED,
    HELD,
    SETTLED,
    STEADY,
    UNFIXED,
    Part,
    answers,
    offsets,
    unreset,
)


def _asked(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    before = Or(s.asking, And(s.present, Not(s.fixed)))
    behind = And(
        s.committed > message,
        Implies(s.sending, s.sent > message),
        Implies(And(s.asking, s.answer >= 0), s.answer > message),
        Implies(s.present, s.stands > message),
    )
    return Implies(And(before, s.kept), behind)


def _consumed(s: Offsets, lim: Limits) -> Bool:
    further = Or(s.next > lim.message, s.next == NOWHERE)
    behind = And(further, s.stands > lim.message, Not(s.cached), Not(s.runs))
    return Implies(And(s.present, s.fixed, s.kept), behind)


def _remembered(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    on_its_way = Or(s.committed > message, And(s.sending, s.sent > message))
    forgotten = And(s.memory == NO_OFFSET, on_its_way)
    return Implies(And(s.present, s.kept), Or(s.memory > message, forgotten))


def _sent(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    behind = And(Implies(s.sending, s.sent > message), Or(s.sending, s.committed > message))
    gone = And(concerned(s), Not(s.present))
    lost = And(s.present, s.memory == NO_OFFSET)
    return Implies(And(s.kept, Or(gone, lost)), behind)


def _coming(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    return And(
        Implies(And(s.present, s.noting), s.noted == s.stands),
        Implies(And(s.present, s.recording), s.recorded <= s.next),
        Implies(And(s.present, s.recording, s.next > message), s.recorded > message),
        Implies(And(s.present, s.recording, s.recorded > message), Not(s.cached)),
    )


def _stands(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    done = And(s.next > message, Not(s.cached))
    return And(
        Implies(And(s.present, done), s.stands > message),
        Implies(And(s.present, s.cached), And(s.next > message, s.stands <= message)),
        Implies(s.present, s.stands <= If(s.next < 0, s.stands, s.next)),
        Implies(s.runs, And(s.cached, Not(s.noting))),
    )


def _owed(s: Offsets, lim: Limits) -> Bool:
    noting = And(s.noting, s.noted > lim.message)
    return Implies(s.owed, And(s.present, Not(s.runs), Or(noting, s.dropped)))


OF_A_BATCH = (
    Part("asked", "A consumer that asks gets an offset after the recorded message.", _asked),
    Part("consumed", "A recorded message is in no process queue.", _consumed),
    Part("remembered", "A recorded message is below the offset in memory, or below the sent offset.", _remembered),
    Part("sent", "A recorded message is below the sent or committed offset if memory has forgotten it.", _sent),
    Part("coming", "The offset about to be recorded equals the process queue's offset.", _coming),
    Part("stands", "The process queue's offset is after its consumed messages.", _stands),
    Part("owed", "Until a consumed message is recorded, no other message is consumed.", _owed),
)


def one_batch(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a message is consumed again only if it was not recorded.

    Recorded means: the offset in memory is after the message. Until then, no other message is consumed.
    """
    so = (HELD, answers(world), offsets(world), CONCERNED, SETTLED, UNFIXED, ALONE)
    return (*so, *OF_A_BATCH, STEADY, *unreset(world))
