"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from types import SimpleNamespace

import z3

from rebalance_proofs.model.offsets.actions import OffsetsEncoding
from rebalance_proofs.model.offsets.state import NONE, Queue, State, nothing
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import COMMITTED, Conjunct
from rebalance_proofs.proofs.offsets.variables import NAMES, flags, said_of, state_of

__all__ = ["ACTIONS", "about", "kept", "rely", "well"]

ACTIONS = {
    "asks": "A rebalance asks for the queue's offset.",
    "adds": "It hears the answer, and adds the queue, or has nowhere to begin.",
    "pulls": "The message is pulled.",
    "passes": "Others are pulled.",
    "starts": "The listener is called with the message.",
    "ends": "The listener returns.",
    "ends_late": "The listener returns, after the entry has left the table.",
    "cleans": "The message is given back, because its listener takes too long.",
    "fails": "The listener returns, but the message is to be tried again.",
    "others": "The listener returns from another message.",
    "empty": "A pull has found nothing, and the entry has no messages.",
    "records": "An offset is recorded in the memory.",
    "sends": "The memory's offset is sent.",
    "commits": "A commit arrives at the broker.",
    "marks": "A rebalance marks the entry.",
    "revokes": "A rebalance takes the entry away.",
    "unsubscribes": "The topic is not subscribed any more.",
    "forgets": "The offset of a queue without an entry is forgotten.",
    "shuts": "The consumer is shut down.",
    "crashes": "Its process ends.",
}
"""What a consumer can do, by the names of an encoding's parts; and the broker with its messages."""
assert {*ACTIONS, "step"} == {field.name for field in fields(OffsetsEncoding)}

Stated = Callable[[OffsetsEncoding, SimpleNamespace], Statement]
OTHERS = ("committed_then", "end_then", "consumed_then", "given_then")
"""What is so after somebody else has acted."""


def well(conjuncts: Mapping[str, Conjunct], world: Brokers, v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds, in that world."""
    state = state_of(v)
    return flags(v) | world.given(state) | _all(conjuncts, state)


def kept(conjuncts: Mapping[str, Conjunct], world: Brokers) -> Iterator[Obligation]:
    """At first it is so; each action keeps it, and whatever others do; and others do no more than that."""

    def then(state: State) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state).values()))

    def begins(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        state = replace(state_of(v), me=nothing())
        shared = {"messages below what is committed were consumed": COMMITTED.holds(state)}
        return Statement(flags(v) | world.given(state) | shared, then(state))

    def acts(name: str) -> Stated:
        def state(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
            before, said = state_of(v), said_of(v)
            turn = getattr(e, name)(before, said)
            can = {"it is possible": turn.can, "the premises allow it": world.allows(name, before, said)}
            return Statement(well(conjuncts, world, v) | can, then(turn.after))

        return state

    def others(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        flags = {name: getattr(v, f"{name}_then") == 1 for name in ("consumed", "given")}
        queue = replace(before.queue, committed=v.committed_then, end=v.end_then, **flags)
        after = replace(before, queue=queue)
        truth = truth_values(v, "consumed_then", "given_then")
        return Statement(
            well(conjuncts, world, v) | truth | {"it is what others do": _harmless(conjuncts, before, queue, world)},
            then(after),
        )

    yield about("at-first", "At first all is well, whatever others have done.", begins)
    for name, sentence in ACTIONS.items():
        yield about(name, f"{sentence} All stays well.", acts(name))
    yield about("others-act", "Another consumer acts, or messages arrive. All stays well.", others, *OTHERS)


def rely(conjuncts: Mapping[str, Conjunct], world: Brokers) -> Obligation:
    """That others do no more than that, where all is well with them."""

    def harmless(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        before, said, same = state_of(v), said_of(v), []
        for name in ACTIONS:
            turn = getattr(e, name)(before, said)
            can = z3.And(turn.can, world.allows(name, before, said))
            same.append(z3.Implies(can, _harmless(conjuncts, before, turn.after.queue, world)))
        return Statement(well(conjuncts, world, v), z3.And(same))

    return about("rely", "Whatever another consumer does to what all share is of that kind.", harmless)


def _harmless(conjuncts: Mapping[str, Conjunct], before: State, queue: Queue, world: Brokers) -> z3.BoolRef:
    """What is consumed stays so, no message goes, and what is committed is an offset: below it what was consumed, where
    that is shown too."""
    consumed = COMMITTED.holds(replace(before, queue=queue)) if COMMITTED.name in conjuncts else YES
    return z3.And(
        z3.Implies(before.queue.consumed, queue.consumed),
        z3.Implies(before.queue.given, queue.given),
        queue.end >= before.queue.end,
        queue.committed >= (0 if world.committed else NONE),
        consumed,
    )


def about(name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about one consumer's state; ``more``: unknowns besides ``NAMES``."""
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    yield "the message's offset beyond the bound", v.message >= bound
