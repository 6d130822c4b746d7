"""What is always so of one consumer's offsets, and one message: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.offsets.by_loop import UNKNOWN
from rebalance_proofs.model.offsets.orderly import NOWHERE
from rebalance_proofs.model.offsets.state import NONE, Consumer, State
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED
from rebalance_proofs.proofs.offsets.brokers import Brokers

__all__ = [
    "ALONE",
    "COMMITTED",
    "CONCERNED",
    "COPIED",
    "COUNTED",
    "HELD",
    "SETTLED",
    "STEADY",
    "UNFIXED",
    "Conjunct",
    "answers",
    "back_at_most",
    "from_an_offset",
    "named",
    "not_skipped",
    "offsets",
    "only_uncommitted",
    "remains",
    "unreset",
]


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


def _left(state: State) -> z3.BoolRef:
    me, done = state.me, state.queue.done
    return z3.And(
        z3.Implies(z3.And(me.lingers, me.left_next > state.message), z3.Or(done, me.left_cached)),
        z3.Implies(z3.Or(me.left_owed, me.owed), done),
    )


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
COPIED = Conjunct(
    "copied",
    "A message below what a replica has as the committed offset was consumed.",
    _behind(lambda state: state.queue.copied, lambda state: z3.BoolVal(True)),
)
NOTING = Conjunct(
    "noting",
    "A message below the offset behind a batch that the listener has returned from was consumed.",
    _behind(lambda state: state.me.noted, lambda state: state.me.noting),
)
HELD = Conjunct("held", "Messages are with an entry, and so are calls.", _held)
LEFT = Conjunct("left", "The same of an entry that has left; a batch that was not noted yet was consumed.", _left)


CONCERNED = Conjunct(
    "concerned",
    "A queue with which a consumer is concerned is taken.",
    lambda state: z3.Implies(state.me.concerned, state.queue.taken),
)
COUNTED = Conjunct(
    "counted",
    "No message was consumed twice for a reason that a hand-over does not give.",
    lambda state: z3.Not(state.queue.excess),
)
SETTLED = Conjunct(
    "settled",
    "What was noted is committed, or somebody is concerned with the queue.",
    lambda state: z3.Implies(
        z3.And(state.queue.kept, z3.Not(state.queue.taken)), state.queue.committed > state.message
    ),
)


STEADY = Conjunct(
    "steady",
    "While `persistAll` is under way, the table has the queues that it was told.",
    lambda state: z3.And(
        z3.Implies(state.me.listed, state.me.present), z3.Implies(state.me.unlisted, z3.Not(state.me.present))
    ),
)


UNRESET = Conjunct("unreset", "No offset is being reset.", lambda state: z3.Not(state.me.resetting))
REMAINS = Conjunct(
    "remains",
    "A message that an interrupted call has left is with its entry; its listener has returned, and is not called.",
    lambda state: z3.Implies(state.me.remains, z3.And(state.me.cached, state.queue.done, z3.Not(state.me.runs))),
)


def unreset(world: Brokers) -> tuple[Conjunct, ...]:
    """Of a listener that returns it makes a difference whether its ordered queue has been emptied meanwhile."""
    return (UNRESET,) if world.orderly else ()


def remains(world: Brokers) -> tuple[Conjunct, ...]:
    """Of a batch that is noted, whether another one is noted with it."""
    return (REMAINS,) if world.orderly else ()


def answers(world: Brokers) -> Conjunct:
    """What a rebalance can hear."""
    others = (
        *((UNANSWERED,) if world.unanswered else ()),
        *((BROKER_ERROR,) if world.errors else ()),
        *(() if world.committed else (NOT_FOUND,)),
    )

    def holds(state: State) -> z3.BoolRef:
        answer = state.me.answer
        return z3.Implies(state.me.asking, z3.Or(answer >= world.least, *(answer == other for other in others)))

    return Conjunct("answers", "A rebalance hears an offset, or what the premises have.", holds)


def offsets(world: Brokers) -> Conjunct:
    """What can be sent."""

    def holds(state: State) -> z3.BoolRef:
        me = state.me
        if world.way is Way.BY_LOOP:
            return by_loop(state)
        return z3.And(
            state.queue.committed >= (world.least if world.committed else NONE),
            state.queue.copied >= world.least_copied if world.replica else YES,
            z3.Implies(me.present, z3.And(me.began >= world.least, z3.Or(me.began <= me.next, *nowhere(me)))),
            z3.Implies(me.recording, me.recorded >= world.least),
            z3.Or(me.memory >= world.least, me.memory == NO_OFFSET),
            z3.Implies(me.sending, me.sent >= world.least),
            *(in_order(me) if world.orderly else []),
        )

    def by_loop(state: State) -> z3.BoolRef:
        # What is not above 0 is sent as -1; where all is, it never is.
        me, least = state.me, world.least or UNKNOWN
        return z3.And(
            state.queue.committed >= least,
            z3.Implies(me.present, z3.And(me.began >= world.least, me.began <= me.next)),
            z3.Implies(me.lingers, me.left_next >= world.least),
            z3.Or(me.memory >= least, me.memory == NO_OFFSET),
            z3.Implies(z3.And(me.present, YES if world.least else NO), me.memory >= least),
            z3.Implies(me.sending, me.sent >= least),
        )

    def in_order(me: Consumer) -> list[z3.BoolRef]:
        return [z3.Implies(me.noting, me.noted >= 0), z3.Implies(me.present, me.stands >= 0)]

    def nowhere(me: Consumer) -> list[z3.BoolRef]:
        return [z3.And(me.fixed, me.next == NOWHERE)] if world.orderly else []

    return Conjunct("offsets", "Offsets are not negative.", holds)


def not_skipped(world: Brokers) -> Mapping[str, Conjunct]:
    """That no message is skipped."""
    noted = {Way.CONCURRENTLY: (NOTED, HELD), Way.ORDERLY: (NOTED, NOTING, HELD), Way.BY_LOOP: (LEFT,)}[world.way]
    replicas = (COPIED,) if world.replica else ()
    # A replica without an offset gives any answer, so that nothing is to be shown of one.
    heard = () if world.replica and not world.copied else (answers(world),)
    return named(
        COMMITTED,
        PULLED,
        MEMORY,
        *noted,
        HEARD,
        SENT,
        *replicas,
        *heard,
        offsets(world),
        *unreset(world),
        *remains(world),
    )


def only_uncommitted(world: Brokers) -> Mapping[str, Conjunct]:
    """That a consumer is given no message that was committed when it asked where to begin."""

    def heard(state: State) -> z3.BoolRef:
        me = state.me
        return z3.Implies(z3.And(me.asking, me.answer >= 0), me.answer >= me.known)

    def begun(state: State) -> z3.BoolRef:
        me = state.me
        nowhere = [me.next == NOWHERE] if world.orderly else []
        return z3.Implies(me.present, z3.Or(me.next >= me.known, *nowhere))

    def given(state: State) -> z3.BoolRef:
        me = state.me
        fixed = me.fixed if world.orderly else YES
        return z3.Implies(z3.Or(me.cached, me.runs), z3.And(me.present, state.message >= me.known, fixed))

    return named(
        answers(world),
        offsets(world),
        Conjunct("heard", "What a rebalance hears is not below what was committed when it asked.", heard),
        Conjunct("begun", "What is pulled next is not below that.", begun),
        Conjunct("given", "A message that is with the entry, or called with for it, is not below that.", given),
        *((ALONE,) if world.orderly else ()),
        *unreset(world),
    )


def back_at_most(world: Brokers) -> Mapping[str, Conjunct]:
    """That no commit is below where the entry began that had it sent."""

    def has_or_sends(me: Consumer) -> z3.BoolRef:
        """There is an entry, or one that has left may still have its offset sent."""
        one_step = world.steady or world.way is Way.BY_LOOP
        return me.present if one_step else z3.Or(me.present, me.listed)

    def remembered(state: State) -> z3.BoolRef:
        me = state.me
        # An ordered queue's may be forgotten, and its entry stays.
        forgotten = [me.memory == NO_OFFSET] if world.orderly else []
        return z3.Implies(has_or_sends(me), z3.Or(me.memory >= me.began, *forgotten))

    def sent(state: State) -> z3.BoolRef:
        return z3.Implies(state.me.sending, state.me.sent >= state.me.origin)

    def coming(state: State) -> z3.BoolRef:
        me = state.me
        return z3.And(
            z3.Implies(z3.And(has_or_sends(me), me.recording), me.recorded >= me.began),
            z3.Implies(z3.And(has_or_sends(me), me.noting), me.noted >= me.began),
        )

    def stands(state: State) -> z3.BoolRef:
        me = state.me
        given = z3.Implies(z3.Or(me.cached, me.runs), state.message >= me.began)
        return z3.Implies(me.present, z3.And(me.stands >= me.began, given))

    in_order = (
        Conjunct("coming", "Nor is one that is about to come there.", coming),
        Conjunct("stands", "What is consumed next is not below it.", stands),
        UNFIXED,
        ALONE,
        CONCERNED,
    )
    return named(
        *(() if world.way is Way.BY_LOOP else (HELD,)),
        answers(world),
        offsets(world),
        Conjunct("remembered", "The offset in memory is not below where the entry began.", remembered),
        Conjunct("sent", "One that is sent is not below where its sender's entry began.", sent),
        *(in_order if world.orderly else ()),
        *((STEADY,) if world.steady else ()),
        *unreset(world),
    )


def from_an_offset(world: Brokers) -> Mapping[str, Conjunct]:
    """That an entry pulls from an offset."""

    def somewhere(state: State) -> z3.BoolRef:
        return z3.Implies(state.me.present, state.me.next >= 0)

    return named(
        HELD,
        answers(world),
        offsets(world),
        Conjunct("somewhere", "An entry has an offset to pull from.", somewhere),
        *unreset(world),
    )


def _unfixed(state: State) -> z3.BoolRef:
    me = state.me
    nothing = z3.Not(z3.Or(me.recording, me.noting, me.cached, me.runs, me.late))
    unfixed = z3.And(me.present, z3.Not(me.fixed))
    return z3.And(
        z3.Implies(z3.Or(me.asking, unfixed), nothing),
        z3.Implies(unfixed, me.next == me.stands),
    )


ALONE = Conjunct(
    "alone",
    "Who asks where to begin has no entry.",
    lambda state: z3.Implies(state.me.asking, z3.Not(state.me.present)),
)


UNFIXED = Conjunct(
    "unfixed",
    "Who asks where to begin, and whose first pull has no answer yet, has nothing on its way.",
    _unfixed,
)


def named(*conjuncts: Conjunct) -> Mapping[str, Conjunct]:
    """By their names."""
    return {conjunct.name: conjunct for conjunct in conjuncts}
