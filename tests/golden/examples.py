"""Counterexamples that are found without a solver, as text and as the states of their traces."""

import json
from collections.abc import Iterable, Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.kinds import shown, smallest
from rebalance_proofs.report.own.told_parts import grid
from rebalance_proofs.report.replay.steps import lines, steps

STEPS = (
    "ordered.java_v5_2.exclusive.without-time",
    "ordered.java_v4_9.exclusive.without-overtaken",
    "offsets.java_v4_9.once",
    "offsets.java_v4_9.not-skipped.without-answers",
    "pulls.java_v5_2_0.has-request.without-store",
    "pulls.java_v4_9_to_5_1.has-request.without-interrupt",
    "settling.java_v4_9_to_v5_1.apart",
    "settling.java_v4_9_to_v5_1.settles.without-timer",
    "subscriptions.java_v4_9_to_v5_3.calm.without-alike",
    "subscriptions.java_v4_9_to_v5_3.answered.without-room",
    "registry.java_v4_9_to_v5_3.listed.without-restart",
    "registry.java_v4_9_to_v5_3.again.without-heartbeats",
    "transition.node.unsubscribed-offset",
    "transition.java_v5_2.kept.push",
)
"""Claims of every kind whose smallest counterexample has steps, and is found in a moment."""


def of_worlds() -> Iterable[Claim]:
    """The first claim in each world of groups that does not hold."""
    worlds = {claim.world.name: claim for claim in reversed(LEDGER) if claim.kind == "allocation" and not claim.holds}
    return reversed(worlds.values())


def groups() -> Iterator[str]:
    """The smallest counterexample of the first claim in each world of groups, drawn and in words."""
    for claim in of_worlds():
        yield from _told(claim)
        yield from (f"  {line}".rstrip() for line in grid(smallest(claim)))


def runs() -> Iterator[str]:
    """The counterexamples of ``STEPS``, with the states of their traces."""
    for claim in select([*STEPS]):
        yield from _told(claim)
        yield from (f"  {json.dumps(state)}" for state in shown(claim).states(claim, smallest(claim)))


def _told(claim: Claim) -> Iterator[str]:
    example = smallest(claim)
    yield f"{claim.id}: {shown(claim).size(example)}"
    yield from (f"  {line}" for line in shown(claim).lines(claim, example))
    yield from (f"  {line}" for line in lines(steps(claim, example)))
