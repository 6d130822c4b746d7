"""Sentences about claims on strategies: the situation and the assumptions."""

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
"""Sentence on the groups that guarantees are about, for families whose claims share it."""


def about(claim: Claim) -> str:
    """Return a sentence on the guarantee's subject: one group or two, one topic or several, ..."""
    if claim.world.subjects > 1 and not claim.world.dropped:
        first, second = map(run_by, claim.subjects)
        return f"One group run by {first}, compared with the same group run by {second}."
    if family(claim) == CLIENTS:
        return f"One group whose consumers run two clients: {pair(claim)}."
    return ABOUT.get(family(claim), "One group and one topic, at one moment.")


def given(claim: Claim) -> str:
    """Return a line on the group or on the dropped assumption's failure, then the assumptions."""
    if not claim.world.dropped:
        return f"{claim.world.sentence}\n{assumed(claim)}"
    return f"How the assumption fails: {claim.world.without}\n{assumed(claim)}"


def over(claim: Claim) -> str:
    """Return the queues of the topic that the claim covers, in words.

    Empty if it covers every queue.
    """
    return next((one.over for one in claim.subjects if one.over and one.over in claim.sentence), "")


def limits(claim: Claim) -> list[str]:
    """Return a remark for each strategy for which the claim covers only some queues of the topic."""
    said = over(claim)
    return [f"{short_label(one)}: {said}" for one in claim.subjects if one.over and said]


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Return a heading with the claims' common dropped assumption, and a line for each claim."""
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
