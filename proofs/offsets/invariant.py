"""What is always so of one consumer's offsets, and one message: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.offsets.state import NONE, State
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED
from rebalance_proofs.proofs.offsets.brokers import Brokers

__all__ = ["Conjunct", "back_at_most", "not_skipped", "only_uncommitted"]


@dataclass(frozen=True)
class Conjunct:
    """One part of the invariant."""

    name: str
    sentence: str
    holds: Callable[[State], z3.BoolRef]


def _behind(offset: Callable[[State], z3.ArithRef], where: Callable[[State], z3.BoolRef]) -> Callable[..., z3.BoolRef]:
    """Where it is told, the message was consumed if that offset is behind it."""
    return lambda state: z3.Implies(z3.And(where(state), offset(state) > state.message), state.queue.done)


def _pulled(state: State) -> z3.BoolRef:
    me = state.me
    return z3.Implies(z3.And(me.present, me.next > state.message), z3.Or(state.queue.done, me.cached))


def _held(state: State) -> z3.BoolRef:
    me = state.me
    return z3.And(z3.Implies(me.cached, me.present), z3.Implies(me.runs, me.present))


COMMITTED = Conjunct(
    "committed",
    "A message below the committed offset was consumed.",
    _behind(lambda state: state.queue.committed, lambda state: z3.BoolVal(True)),
)
PULLED = Conjunct("pulled", "A message below what is pulled next was consumed, or is with the entry.", _pulled)
MEMORY = Conjunct(
    "memory",
    "A message below the offset in memory was consumed.",
    _behind(lambda state: state.me.memory, lambda state: z3.BoolVal(True)),
)
NOTED = Conjunct(
    "noted",
    "A message below an offset that is about to be recorded was consumed.",
    _behind(lambda state: state.me.recorded, lambda state: state.me.recording),
)
HEARD = Conjunct(
    "heard",
    "A message below an offset that a rebalance hears was consumed.",
    _behind(lambda state: state.me.answer, lambda state: state.me.asking),
)
SENT = Conjunct(
    "sent",
    "A message below an offset that is sent was consumed.",
    _behind(lambda state: state.me.sent, lambda state: state.me.sending),
)
HELD = Conjunct("held", "Messages are with an entry, and so are calls.", _held)


def answers(world: Brokers) -> Conjunct:
    """What a rebalance can hear."""
    others = (UNANSWERED, *((BROKER_ERROR,) if world.errors else ()), *(() if world.committed else (NOT_FOUND,)))

    def holds(state: State) -> z3.BoolRef:
        answer = state.me.answer
        return z3.Implies(state.me.asking, z3.Or(answer >= 0, *(answer == other for other in others)))

    return Conjunct("answers", "A rebalance hears an offset, or what the premises have.", holds)


def offsets(world: Brokers) -> Conjunct:
    """What can be sent."""

    def holds(state: State) -> z3.BoolRef:
        me = state.me
        return z3.And(
            state.queue.committed >= (0 if world.committed else NONE),
            z3.Implies(me.present, z3.And(me.began >= 0, me.began <= me.next)),
            z3.Implies(me.recording, me.recorded >= 0),
            z3.Or(me.memory >= 0, me.memory == NO_OFFSET),
            z3.Implies(me.sending, me.sent >= 0),
        )

    return Conjunct("offsets", "Offsets are not negative.", holds)


def not_skipped(world: Brokers) -> Mapping[str, Conjunct]:
    """That no message is skipped."""
    return _named(COMMITTED, PULLED, MEMORY, NOTED, HEARD, SENT, HELD, answers(world), offsets(world))


def only_uncommitted(world: Brokers) -> Mapping[str, Conjunct]:
    """That a consumer is given no message that was committed when it asked where to begin."""

    def heard(state: State) -> z3.BoolRef:
        me = state.me
        return z3.Implies(z3.And(me.asking, me.answer >= 0), me.answer >= me.known)

    def begun(state: State) -> z3.BoolRef:
        me = state.me
        return z3.Implies(me.present, me.next >= me.known)

    def given(state: State) -> z3.BoolRef:
        me = state.me
        return z3.Implies(z3.Or(me.cached, me.runs), z3.And(me.present, state.message >= me.known))

    return _named(
        answers(world),
        offsets(world),
        Conjunct("heard", "What a rebalance hears is not below what was committed when it asked.", heard),
        Conjunct("begun", "What is pulled next is not below that.", begun),
        Conjunct("given", "A message that is with the entry, or called with for it, is not below that.", given),
    )


def back_at_most(world: Brokers) -> Mapping[str, Conjunct]:
    """That no commit is below where the entry began that had it sent."""

    def remembered(state: State) -> z3.BoolRef:
        return z3.Implies(state.me.present, state.me.memory >= state.me.began)

    def sent(state: State) -> z3.BoolRef:
        return z3.Implies(state.me.sending, state.me.sent >= state.me.origin)

    return _named(
        HELD,
        answers(world),
        offsets(world),
        Conjunct("remembered", "The offset in memory is not below where the entry began.", remembered),
        Conjunct("sent", "One that is sent is not below where its sender's entry began.", sent),
    )


def _named(*conjuncts: Conjunct) -> Mapping[str, Conjunct]:
    return {conjunct.name: conjunct for conjunct in conjuncts}
