"""Ghost fields for claims: who has the queue, why a message was consumed twice, whose work is done."""

from dataclasses import replace

from rebalance_proofs.model.machine.machine import Effect, Step
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.actions import Act, but
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant, concerned, has_or_asks

__all__ = ["counted", "interruptible", "watched"]

RETURNS = ("ends", "ends_late", "returns_interrupted")
"""Actions in which a listener returns from the message, as consumed or given back."""


def interruptible(action: Act) -> Act:
    """The action, with a ghost field for whether a listener has done its work with the message (``finished``)."""
    effect: Effect[Offsets, Choices, Limits, Variant] = action.effect

    def does(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
        guard, changes = effect(s, c, lim, client)
        finished = Or(s.finished, Not(c.half))
        return but((And(guard, Implies(c.half, s.cut)), changes), finished=finished)

    return replace(action, effect=does) if action.name in RETURNS else action


def counted(action: Act) -> Act:
    """The action, with a ghost field for whether some consumer is concerned with an ordered queue (``taken``)."""

    def does(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
        done = action.effect(s, c, lim, client)
        others = And(s.taken, Not(concerned(s)))
        return but(done, taken=Or(others, concerned(s.but(**done[1]))))

    return replace(action, effect=does)


def watched(action: Act) -> Act:
    """The action without an ordered listener, with ghost fields for who has the queue, and for second returns."""

    def does(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
        done = action.effect(s, c, lim, client)
        others = And(s.taken, Not(has_or_asks(s)))
        return but(done, taken=Or(others, has_or_asks(s.but(**done[1]))), **_of(action.name, s, lim))

    return replace(action, effect=does)


def _of(name: str, s: Offsets, lim: Limits) -> dict[str, Bool]:
    twice = And(s.consumed, Not(s.overtime))
    if name == "asks":
        return {"uncommitted": And(s.consumed, s.committed <= lim.message)}
    if name in ("ends", "returns_interrupted"):
        return {"excess": Or(s.excess, And(twice, Not(s.uncommitted)))}
    if name == "ends_late":
        return {
            "overtime": Or(s.overtime, Not(s.begun_late)),
            "excess": Or(s.excess, And(twice, s.begun_late)),
        }
    return {}
