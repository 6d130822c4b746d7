"""Sentences beside claims about strategies: what guarantees look at, and what is assumed."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.allocation.places import (
    CLIENTS,
    CODE,
    GROWTH,
    JOINS_AND_RESTARTS,
    MOVEMENT,
    PREMISES_DROPPED,
    TOPICS,
    family,
    pair,
    row,
)
from rebalance_proofs.report.assumed import assumed
from rebalance_proofs.report.names import run_by, short_label

ABOUT = {
    MOVEMENT: "A group before and after one consumer joins; in reverse, before and after one leaves.",
    GROWTH: "A group before and after queues are added; in reverse, before and after queues are removed.",
    JOINS_AND_RESTARTS: "A group before and after one or two changes.",
    TOPICS: "All topics of a group together, at one moment.",
    CODE: "One consumer's allocation of one topic: the code, and the encoding that proofs use for it.",
}
"""The situation that a family's guarantees look at, where all its claims share it."""


def about(claim: Claim) -> str:
    """What the claim's guarantee looks at: one group or two, one client or two, one topic or several."""
    if claim.world.subjects > 1 and not claim.world.dropped:
        first, second = map(run_by, claim.subjects)
        return f"One group run by {first}, compared with the same group run by {second}."
    if family(claim) == CLIENTS:
        return f"One group whose consumers run two clients: {pair(claim)}."
    return ABOUT.get(family(claim), "One group and one topic, at one moment.")


def given(claim: Claim) -> str:
    """The situation, or how the dropped assumption fails; on a line of their own, the assumptions."""
    if not claim.world.dropped:
        return f"{claim.world.sentence}\n{assumed(claim)}"
    return f"How the assumption fails: {claim.world.without}\n{assumed(claim)}"


def over(claim: Claim) -> str:
    """The part of the topic that the claim is about; empty if it is about every queue."""
    return next((one.over for one in claim.subjects if one.over and one.over in claim.sentence), "")


def limits(claim: Claim) -> list[str]:
    """The same as remarks, one for each strategy that limits the claim."""
    said = over(claim)
    return [f"{short_label(one)}: {said}" for one in claim.subjects if one.over and said]


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """(the dropped premise that all claims share, a line for each claim with its strategies and guarantee)."""
    first = claims[0].world
    heading = f"without {first.name}: {first.otherwise}" if family(claims[0]) == PREMISES_DROPPED else ""
    return heading, tuple(map(_sentence, claims))


def _sentence(claim: Claim) -> str:
    names, kind = row(claim), family(claim)
    if kind == PREMISES_DROPPED:
        return f"{names[-1]}: {claim.guarantee.sentence}"
    whose = f"{names[0]} ({names[1]})" if kind == CLIENTS else names[0]
    even_if = f", even if {claim.world.otherwise}" if claim.world.dropped else ""
    return f"{whose}: {claim.guarantee.sentence}{even_if}"
