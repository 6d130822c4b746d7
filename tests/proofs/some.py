"""A part of the ledger with every family and verdict; both solvers judge it whenever tests run.

All claims are judged by `rebalance verify`, as in continuous integration, and by slow tests.
"""

from collections.abc import Hashable, Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.mutation.ask import PATH
from rebalance_proofs.report.kinds import family

NAMED = (
    "allocation.avg.disjoint",
    "allocation.avg.idle",
    "allocation.avg.sublist",
    "allocation.avg.balanced",
    "allocation.hash.successor",
    "allocation.room.unread.without-same-subscription",
    "code.avg",
    "code.room-go",
    "growth.avg.appended",
    "joins.hash.several",
    "movement.avg.bound",
    "movement.avg.moved",
    "topics.avg-per-topic.level",
    "topics.kafka-range.tilt",
    "topics.kafka-round-robin.attained",
    "transition.node.changed",
    "transition.node.exact",
    "transition.java_v5_2.late-unlock.push-orderly-as-shipped",
    "transition.java_v5_2.renewed.push-orderly.when-its-topic-is-not-static",
    "transition.java_v4_9.partition",
)
"""Claims whose results a test names."""


def proved_by_one_solver(claim: Claim) -> bool:
    """Return whether other default tests prove the claim's obligations with Z3.

    They are in ``tests/proofs/transition/test_obligations.py`` and ``tests/machines/test_machines.py``. The golden text
    ``texts`` pins the texts of these obligations, which both solvers read.
    """
    by_induction = len(claim.subjects) == 1 and isinstance(claim.guarantee, ProvedByInduction)
    return claim.kind == "transition" or by_induction


def made_of(claim: Claim) -> set[Hashable]:
    """Features of a claim: its family and verdict, and its obligations and lemmas that no other test proves."""
    steps = () if proved_by_one_solver(claim) else (*claim.obligations, *claim.lemmas)
    return {(family(claim).title, claim.expected)} | {(claim.kind, PATH.sub("path", step.name)) for step in steps}


def work(claim: Claim) -> int:
    """Approximate effort of judging a claim: its obligations, and the modes that are searched."""
    return 1 + len(claim.obligations) + len(getattr(claim.world, "modes", ()))


def some(ledger: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims that together have every feature of the ledger's claims, chosen by features for their effort."""
    features = {claim.id: made_of(claim) for claim in ledger}
    efforts = {claim.id: work(claim) for claim in ledger}
    chosen = {name for name in features if name in NAMED}
    there = set().union(*(features[name] for name in chosen))
    missing = set().union(*features.values()) - there
    while missing:
        best = max(features, key=lambda name: len(features[name] & missing) / efforts[name])
        chosen.add(best)
        missing -= features[best]
    return tuple(claim for claim in ledger if claim.id in chosen)


SOME = some(LEDGER)
