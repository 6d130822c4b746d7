"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, State, nothing
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.offsets.arrived import alone_until_then, has
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.finished import FINISHED
from rebalance_proofs.proofs.offsets.invariant import COMMITTED, COPIED, COUNTED, SETTLED, Conjunct
from rebalance_proofs.proofs.offsets.variables import NAMES, flags, said_of, state_of
from rebalance_proofs.proofs.records import made_once

__all__ = ["about", "kept", "relied_on", "rely", "well"]

Kept = tuple[Mapping[str, Conjunct], Brokers]
"""An invariant, and the world in which it is one."""
Stated = Callable[[OffsetsEncoding, SimpleNamespace], Statement]
OTHERS = (
    "committed_then",
    "end_then",
    "consumed_then",
    "given_then",
    "kept_then",
    "taken_then",
    "overtime_then",
    "excess_then",
    "finished_then",
    "copied_then",
)
"""What is so after somebody else has acted."""
ARRIVING = ("owned", "awaited", "had", "begun")
"""The same, where the message arrives."""


def well(conjuncts: Mapping[str, Conjunct], world: Brokers, v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds, in that world."""
    state = state_of(v)
    return flags(v) | world.given(state) | _all(conjuncts, state)


def kept(conjuncts: Mapping[str, Conjunct], world: Brokers) -> Iterator[Obligation]:
    """At first it is so; each action keeps it, and whatever others do; and others do no more than that."""
    given = made_once(partial(well, conjuncts, world))

    def then(state: State) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state).values()))

    def begins(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        state = replace(state_of(v), me=nothing())
        shared = {"messages below what is committed were consumed": COMMITTED.holds(state)}
        if SETTLED.name in conjuncts:
            shared["what was kept is committed, or somebody has the queue"] = SETTLED.holds(state)
        if COUNTED.name in conjuncts:
            shared["nothing was consumed twice for no reason"] = COUNTED.holds(state)
        if FINISHED.name in conjuncts:
            shared["messages below what is committed were finished"] = FINISHED.holds(state)
        if COPIED.name in conjuncts:
            shared["so were those below what a replica has"] = COPIED.holds(state)
        if world.later:
            shared["the message has not arrived"] = z3.And(state.queue.end >= 0, state.queue.end <= state.message)
            new = z3.Not(z3.Or(state.queue.owned, state.queue.awaited, state.queue.had, state.queue.begun))
            shared["nobody has had the queue, and nothing is committed"] = z3.And(new, state.queue.committed == NONE)
        return Statement(flags(v) | world.given(state) | shared, then(state))

    def acts(name: str) -> Stated:
        def state(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
            before, said = state_of(v), said_of(v)
            turn = getattr(e, name)(before, said)
            can = {"it is possible": turn.can, "the premises allow it": world.allows(name, before, said)}
            return Statement(given(v) | can, then(turn.after))

        return state

    def others(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        told = (
            "consumed",
            "given",
            "kept",
            "taken",
            "overtime",
            "excess",
            "finished",
            *(ARRIVING if world.later else ()),
        )
        flags = {name: getattr(v, f"{name}_then") == 1 for name in told}
        offsets = {"committed": v.committed_then, "end": v.end_then, "copied": v.copied_then}
        queue = replace(before.queue, **offsets, **flags)
        after = replace(before, queue=queue)
        truth = truth_values(v, *(f"{name}_then" for name in told))
        does = {"it is what others do": _harmless(conjuncts, before, queue, world)}
        if world.in_turn:
            mine = z3.And(before.queue.taken, _has(before.me, world))
            does["they do no more while the queue is this one's"] = _while(mine, before.queue, queue, world)
        if world.keeps:
            mine = z3.And(before.queue.taken, has(before, world))
            does["they leave it alone before an offset is committed"] = alone_until_then(mine, before.queue, queue)
        return Statement(given(v) | truth | does, then(after))

    yield about("at-first", "At first all is well, whatever others have done.", begins)
    for name, sentence in world.actions.items():
        yield about(name, f"{sentence} All stays well.", acts(name))
    unknown = (*OTHERS, *(f"{name}_then" for name in (ARRIVING if world.later else ())))
    yield about("others-act", "Another consumer acts, or messages arrive. All stays well.", others, *unknown)


def rely(conjuncts: Mapping[str, Conjunct], world: Brokers) -> Obligation:
    """That others do no more than that, where all is well with them."""
    sentence = "Whatever another consumer does to what all share is of that kind."
    return relied_on("rely", sentence, (conjuncts, world), (conjuncts, world))


def relied_on(name: str, sentence: str, doing: Kept, relying: Kept) -> Obligation:
    """That who keeps the one invariant does no more to what all share than who keeps the other one relies on."""
    (conjuncts, world), (theirs, their_world) = doing, relying

    def harmless(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
        before, said, same = state_of(v), said_of(v), []
        for name in world.actions:
            turn = getattr(e, name)(before, said)
            can = z3.And(turn.can, world.allows(name, before, said))
            then = turn.after.queue
            same.append(z3.Implies(can, _harmless(theirs, before, then, their_world)))
            if world.in_turn:
                # Another one that has it has taken it.
                another = z3.And(before.queue.taken, z3.Not(_has(before.me, world)))
                same.append(z3.Implies(can, _while(another, before.queue, then, world)))
                # So no two have it.
                same.append(z3.Implies(z3.And(can, another), z3.Not(_has(turn.after.me, world))))
            if world.keeps:
                another = z3.And(before.queue.taken, z3.Not(has(before, world)))
                same.append(z3.Implies(can, alone_until_then(another, before.queue, then)))
                none = before.queue.committed == NONE
                same.append(z3.Implies(z3.And(can, another, none), z3.Not(has(turn.after, world))))
        return Statement(well(conjuncts, world, v), z3.And(same))

    return about(name, sentence, harmless)


def _has(me: Consumer, world: Brokers) -> z3.BoolRef:
    """By what a consumer has taken the queue."""
    return me.concerned if world.orderly else me.has_or_asks


def _while(so: z3.BoolRef, before: Queue, after: Queue, world: Brokers) -> z3.BoolRef:
    """While that is so, nothing changes of what consumers share but for messages that arrive; of consumers without an
    ordered listener, what is committed and given back, and what is consumed by a call whose entry has left."""
    names = ("committed", "consumed", "given", "kept", "taken") if world.orderly else ("taken",)
    same = [getattr(before, name) == getattr(after, name) for name in names]
    overtime = [] if world.orderly else [z3.Implies(after.consumed, z3.Or(before.consumed, after.overtime))]
    return z3.Implies(so, z3.And(*same, *overtime))


def _harmless(conjuncts: Mapping[str, Conjunct], before: State, queue: Queue, world: Brokers) -> z3.BoolRef:
    """What is consumed stays so, no message goes, and what is committed is an offset: below it what was consumed, where
    that is shown too; and what was kept is committed, where that is."""
    then = replace(before, queue=queue)
    consumed = conjuncts[COMMITTED.name].holds(then) if COMMITTED.name in conjuncts else YES
    settled = SETTLED.holds(then) if SETTLED.name in conjuncts else YES
    counted = COUNTED.holds(then) if COUNTED.name in conjuncts else YES
    finished = FINISHED.holds(then) if FINISHED.name in conjuncts else YES
    copied = COPIED.holds(then) if COPIED.name in conjuncts else YES
    return z3.And(
        z3.Implies(before.queue.consumed, queue.consumed),
        z3.Implies(before.queue.given, queue.given),
        z3.Implies(before.queue.overtime, queue.overtime),
        z3.Implies(before.queue.finished, queue.finished),
        queue.end >= before.queue.end,
        queue.committed >= (world.least if world.committed else NONE),
        queue.copied >= world.least_copied if world.replica else YES,
        consumed,
        settled,
        counted,
        finished,
        copied,
        *(_arrives(before, queue) if world.later else ()),
    )


def _arrives(before: State, queue: Queue) -> Iterator[z3.BoolRef]:
    """Of a message that was there nothing is learned; and where nobody has had the queue there is nothing."""
    here = before.queue.end > before.message
    nothing = z3.Not(z3.Or(queue.had, queue.begun, queue.committed != NONE))
    yield z3.And(queue.committed <= queue.end, z3.Or(queue.owned, nothing))
    yield from [
        z3.Implies(here, getattr(before.queue, name) == getattr(queue, name)) for name in ("awaited", "had", "begun")
    ]


def about(name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about one consumer's state; ``more``: unknowns besides ``NAMES``."""
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    yield "the message's offset beyond the bound", v.message >= bound
