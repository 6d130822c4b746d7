"""What other consumers can do: each consumer relies on it, and is proved to do nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rebalance_proofs.model.machine.machine import Step
from rebalance_proofs.model.machine.record import shared
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.state import NONE, Limits, Offsets
from rebalance_proofs.proofs.machine.induction import Others
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import Part

SHARED = shared(Offsets)


def others(world: Brokers, invariant: Sequence[Part]) -> tuple[Others[Offsets, Limits], ...]:
    """Return everything that other consumers can do, as one change of the shared fields."""

    def effect(before: Offsets, then: Offsets, lim: Limits, mine: Bool) -> Step:
        so = [*_harmless(world, before, then), *(one.holds(then, lim) for one in invariant if one.shared)]
        if world.later:
            so += _arrives(before, then, lim)
        if world.in_turn:
            so += _while(mine, before, then, world)
        if world.keeps:
            so += _alone_until_then(mine, before, then)
        return And(*so), {name: getattr(then, name) for name in SHARED}

    def taken(s: Offsets, lim: Limits) -> Bool:
        return And(s.taken, s.committed == NONE) if world.keeps else s.taken

    return (
        Others(
            "others-act",
            "Another consumer acts, or messages arrive.",
            "the change is one that other consumers make",
            effect,
            SHARED,
            (taken, lambda s, lim: world.has(s)) if world.in_turn or world.keeps else None,
        ),
    )


def begins(world: Brokers, invariant: Sequence[Part]) -> Callable[[Offsets, Limits], Mapping[str, Bool]]:
    """Return conditions on the shared fields when a consumer begins.

    They are what the other consumers preserve.
    """

    def so(s: Offsets, lim: Limits) -> dict[str, Bool]:
        found = {one.sentence: one.holds(s, lim) for one in invariant if one.shared}
        found["the committed offset is an offset, or none if the world allows that"] = And(*_offsets(world, s))
        if world.later:
            found["the message has not arrived"] = And(s.end >= 0, s.end <= lim.message)
            new = Not(Or(s.owned, s.awaited, s.had, s.begun))
            found["no consumer has had the queue, and nothing is committed"] = And(new, s.committed == NONE)
        return found

    return so


def _offsets(world: Brokers, s: Offsets) -> Iterator[Bool]:
    yield s.committed >= (world.least if world.committed else NONE)
    if world.replica:
        yield s.copied >= world.least_copied


def _harmless(world: Brokers, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on every change by others.

    Consumed messages stay consumed, no message disappears, and committed values are offsets.
    """
    for name in ("consumed", "given", "overtime", "finished"):
        yield Implies(getattr(before, name), getattr(then, name))
    yield then.end >= before.end
    yield from _offsets(world, then)


def _arrives(before: Offsets, then: Offsets, lim: Limits) -> Iterator[Bool]:
    """Yield conditions on changes by others after the message has arrived, and before commits.

    Ghost fields of a message that has arrived do not change. Before a consumer has owned the queue, no offset is
    committed, and no ghost field is set.
    """
    here = before.end > lim.message
    nothing = Not(Or(then.had, then.begun, then.committed != NONE))
    yield And(then.committed <= then.end, Or(then.owned, nothing))
    yield from _same(here, before, then, "awaited", "had", "begun")


def _while(mine: Bool, before: Offsets, then: Offsets, world: Brokers) -> Iterator[Bool]:
    """Yield conditions on changes by others while this consumer owns the queue (``mine``).

    Others change no shared field except for arriving messages. Without ordered listeners, others may also change the
    committed offset, messages given back, and messages consumed by a call that outlives its process queue.
    """
    if world.orderly:
        yield from _same(mine, before, then, "committed", "consumed", "given", "kept", "taken")
    else:
        yield from _same(mine, before, then, "taken")
        yield Implies(And(mine, then.consumed), Or(before.consumed, then.overtime))


def _alone_until_then(mine: Bool, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on changes by others before the first commit.

    Others do not take an owned queue, and no consumer asks for it later.
    """
    yield from _same(mine, before, then, "committed", "owned", "taken", "had", "begun")
    yield Implies(And(before.owned, before.committed == NONE, Not(before.taken)), Not(then.taken))
    yield Implies(before.committed >= 0, then.committed >= 0)
    yield Implies(before.owned, then.owned)


def _same(so: Bool, before: Offsets, then: Offsets, *names: str) -> Iterator[Bool]:
    yield from (Implies(so, getattr(before, name) == getattr(then, name)) for name in names)
