"""Sentences that explain claims about transitions: the code that they cover, and their conditions."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.transition.scenario import Action
from rebalance_proofs.report.assumed import assumed
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.transition.places import ALWAYS, EVERYWHERE, VERSIONS, family, head, used, when

DONE = {
    Action.UNSUBSCRIBES: "One rebalance after the user has unsubscribed",
    Action.RENEWS: "One renewal of all locks",
}
"""Display names of the actions other than a rebalance that claims are about."""


def about(claim: Claim) -> str:
    """Return the action, its number of rounds, and the clients whose code performs it."""
    observed = listing(
        f"{client.rocketmq_name} ({f'{client.observed} was run' if client.observed else 'read, not run'})"
        for client in claim.subjects
    )
    several = "Two rebalances, one after the other" if claim.world.rounds > 1 else "One rebalance"
    rounds = DONE.get(claim.world.action, several)
    whose = "in each consumer of a group" if claim.world.apart else "in one consumer"
    return f"{rounds}, {whose}, by the code of {observed}."


def given(claim: Claim) -> str:
    """Return the modes of use, and the assumptions on a second line."""
    ways = listing(way.name for way in claim.world.modes)
    return f"Used as: {ways}, in any state and with any answers that the assumptions allow.\n{assumed(claim)}"


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Return the guarantee as a heading, and client, mode and condition of each claim.

    A condition that all claims share is in the heading instead.
    """
    promised = head(claims[0]) + ("" if family(claims[0]) != VERSIONS else " end in the same table")
    conditions = {when(claim.world) for claim in claims}
    common = conditions.pop() if len(conditions) == 1 else ALWAYS
    return _joined([promised, common]), tuple(_sentence(claim, common) for claim in claims)


def _sentence(claim: Claim, common: str) -> str:
    whose = claim.subjects[0].rocketmq_name if family(claim) != VERSIONS else ""
    condition = when(claim.world)
    return _joined([whose, used(claim.world), "" if condition == common else condition]) or "in all modes"


def _joined(parts: Sequence[str]) -> str:
    return ", ".join(part for part in parts if part not in ("", ALWAYS, EVERYWHERE))
