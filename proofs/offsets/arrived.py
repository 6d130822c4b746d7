"""What is always so of a message that arrives where nothing is committed yet: that whoever can read it does."""

from collections.abc import Callable, Iterator, Mapping

import z3

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.offsets.state import NONE, Queue, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import HELD, Conjunct, answers, named, offsets, remains, unreset

__all__ = ["alone_until_then", "arrived", "has"]

Since = Callable[[Queue], z3.BoolRef]
"""Whether the message is one of which it is claimed."""


def has(state: State, world: Brokers) -> z3.BoolRef:
    """The consumer has the queue, or asks for it; with an ordered listener, is at it in any way."""
    return state.me.concerned if world.orderly else state.me.has_or_asks


def alone_until_then(mine: z3.BoolRef, before: Queue, after: Queue) -> z3.BoolRef:
    """Before an offset is committed others leave a queue alone that somebody has, and nobody asks for it later on."""
    none = before.committed == NONE
    same = ("committed", "owned", "taken", "had", "begun")
    return z3.And(
        z3.Implies(z3.And(mine, none), z3.And([getattr(before, name) == getattr(after, name) for name in same])),
        z3.Implies(z3.And(before.owned, none, z3.Not(before.taken)), z3.Not(after.taken)),
        z3.Implies(before.committed >= 0, after.committed >= 0),
        z3.Implies(before.owned, after.owned),
    )


def arrived(since: Since) -> Callable[[Brokers], Mapping[str, Conjunct]]:
    """That a message is not skipped that is one of these."""

    def invariant(world: Brokers) -> Mapping[str, Conjunct]:
        return named(
            *_behind(since, world),
            HELD,
            answers(world),
            offsets(world),
            Conjunct(
                "taken",
                "Before an offset is committed, a queue that a consumer has is taken.",
                lambda state: z3.Implies(z3.And(has(state, world), state.queue.committed == NONE), state.queue.taken),
            ),
            Conjunct("below", "No offset is beyond the queue's end.", lambda state: _below(state, world)),
            Conjunct("unowned", "Where nobody has had the queue, nothing is under way.", _unowned),
            Conjunct(
                "asked",
                "Who asks where nothing is committed is the first.",
                lambda state: z3.Implies(
                    z3.And(state.me.asking, z3.Or(state.queue.committed == NONE, state.me.answer == NOT_FOUND)),
                    z3.Not(state.queue.owned),
                ),
            ),
            UNANSWERED if world.orderly else ALONE,
            *unreset(world),
            *remains(world),
        )

    return invariant


PLACES: Mapping[str, tuple[str, Callable[[State], z3.BoolRef], Callable[[State], z3.ArithRef]]] = {
    "committed": ("the committed offset", lambda state: YES, lambda state: state.queue.committed),
    "memory": ("the offset in memory", lambda state: YES, lambda state: state.me.memory),
    "noted": ("an offset that is about to be recorded", lambda s: s.me.recording, lambda s: s.me.recorded),
    "heard": ("an offset that a rebalance hears", lambda state: state.me.asking, lambda state: state.me.answer),
    "sent": ("an offset that is sent", lambda state: state.me.sending, lambda state: state.me.sent),
    "noting": ("the offset behind a batch", lambda state: state.me.noting, lambda state: state.me.noted),
}
"""Where an offset can be: in words, when, and which."""


def _behind(since: Since, world: Brokers) -> Iterator[Conjunct]:
    def fine(state: State) -> z3.BoolRef:
        return z3.Or(state.queue.done, z3.Not(since(state.queue)))

    def behind(
        told: Callable[[State], z3.BoolRef], offset: Callable[[State], z3.ArithRef]
    ) -> Callable[..., z3.BoolRef]:
        return lambda state: z3.Implies(z3.And(told(state), offset(state) > state.message), fine(state))

    def pulled(state: State) -> z3.BoolRef:
        me = state.me
        return z3.Implies(z3.And(me.present, me.next > state.message), z3.Or(fine(state), me.cached))

    for name, (words, told, offset) in PLACES.items():
        if name != "noting" or world.orderly:
            yield Conjunct(name, f"Such a message below {words} was consumed.", behind(told, offset))
    words = "Such a message below what is pulled next was consumed, or is with the entry."
    yield Conjunct("pulled", words, pulled)


def _below(state: State, world: Brokers) -> z3.BoolRef:
    me, end = state.me, state.queue.end
    return z3.And(
        end >= 0,
        state.queue.committed <= end,
        z3.Implies(me.present, me.next <= end),
        z3.Implies(me.recording, me.recorded <= end),
        z3.Implies(me.asking, me.answer <= end),
        z3.Implies(me.sending, me.sent <= end),
        me.memory <= end,
        *((z3.Implies(me.noting, me.noted <= end),) if world.orderly else ()),
    )


def _idle(state: State) -> z3.BoolRef:
    me = state.me
    return z3.And(
        z3.Not(z3.Or(me.present, me.recording, me.noting, me.sending)),
        me.memory == NO_OFFSET,
    )


def _unowned(state: State) -> z3.BoolRef:
    queue = state.queue
    nothing = z3.And(_idle(state), queue.committed == NONE, z3.Not(z3.Or(queue.had, queue.begun)))
    return z3.Implies(z3.Not(queue.owned), nothing)


UNANSWERED = Conjunct(
    "unanswered",
    "Where nothing is committed, and the first pull has no answer yet, no such message has come.",
    lambda state: z3.Implies(
        z3.And(state.me.present, z3.Not(state.me.fixed), state.queue.committed == NONE), z3.Not(state.queue.begun)
    ),
)
ALONE = Conjunct(
    "alone",
    "Where nothing is committed, and another one has the queue, this one has nothing under way.",
    lambda state: z3.Implies(
        z3.And(state.queue.committed == NONE, state.queue.taken, z3.Not(state.me.has_or_asks)), _idle(state)
    ),
)
