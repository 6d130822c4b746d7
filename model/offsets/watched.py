"""Add ghost fields, which only claims use, to actions on offsets.

They record the owners of the queue, the reasons of a second consumption, and finished work of listeners.
"""

from dataclasses import replace

from rebalance_proofs.model.machine.machine import Effect, Step
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.actions import Act, but
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant, concerned, has_or_asks

RETURNS = ("ends", "ends_late", "returns_interrupted")
"""Actions where a listener returns from the message, which is consumed or sent back."""


def interruptible(action: Act) -> Act:
    """Return the action with the ghost field ``finished``: a listener finished the message."""
    effect: Effect[Offsets, Choices, Limits, Variant] = action.effect

    def does(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
        guard, changes = effect(s, c, lim, client)
        finished = Or(s.finished, Not(c.half))
        return but((And(guard, Implies(c.half, s.cut)), changes), finished=finished)

    return replace(action, effect=does) if action.name in RETURNS else action


def counted(action: Act) -> Act:
    """Return the action with the ghost field ``taken``: a consumer is active on the queue.

    For consumers with an ordered listener.
    """

    def does(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
        done = action.effect(s, c, lim, client)
        others = And(s.taken, Not(concerned(s)))
        return but(done, taken=Or(others, concerned(s.but(**done[1]))))

    return replace(action, effect=does)


def watched(action: Act) -> Act:
    """Return the action with ghost fields for queue owners and second returns from the message.

    For consumers without an ordered listener.
    """

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
