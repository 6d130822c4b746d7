"""Self-tests of comparing enumerated groups with the formulas that the solvers refute.

Each formula has one mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.model.worlds.settings import with_length
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.allocation.sweep import sweep

CLAIMS = {
    "a formula for any number of queues": ("allocation.avg.disjoint.without-same-cid-all", (2, 2)),
    "a formula for one size": ("allocation.hash.disjoint.without-same-cid-all", (2, 1)),
}
"""Kind of formula -> a refuted claim, and the largest (consumers, queues) of its groups."""


def _claimed(name: str) -> Claim:
    (claim,) = select([name])
    return claim


def _said(
    claim: Claim, size: tuple[int, int], world: Groups | None = None, guarantee: Guarantee | None = None
) -> tuple[str, ...]:
    """Return the failures that a run lists for the claim's groups.

    ``world`` and ``guarantee`` replace those of the claim.
    """
    check = GroupCheck(world or claim.world, claim.subjects, (guarantee or claim.guarantee,))
    return said_of(sweep(Space(check.world, *size), check))


def _otherwise(world: Groups, change: Callable[[SymbolicGroup], SymbolicGroup]) -> Groups:
    """Return the assumptions with their symbolic group changed."""

    def symbolic(encodings: Sequence[object], *size: int) -> SymbolicGroup:
        return change(world.symbolic(encodings, *size))

    return replace(world, symbolic=symbolic)


def _nobody_alone(group: SymbolicGroup) -> SymbolicGroup:
    """Return the symbolic group with the additional condition of at least two consumers."""
    return replace(group, constraints=(*group.constraints, smt.BoolVal(len(group.members) > 1)))


def _last_has_nothing(group: SymbolicGroup) -> SymbolicGroup:
    """Return the symbolic group whose last member owns nothing.

    Its result has the same length as before.
    """
    *others, last = group.members
    return replace(group, members=(*others, replace(last, sees=smt.BoolVal(False))))


def _last_has_more(group: SymbolicGroup) -> SymbolicGroup:
    """Return the symbolic group whose last member's result is one queue too long.

    It has one queue more than the member owns.
    """
    *others, last = group.members
    return replace(group, members=(*others, with_length(last, last.count + 1)))


def trials() -> list[Trial]:
    """Return the self-tests of each kind of formula, one for each compared part."""
    found = []
    for kind, (name, size) in CLAIMS.items():
        claim = _claimed(name)
        guarantee, world = claim.guarantee, claim.world
        said = partial(_said, claim, size)
        wrong = {
            "it is never violated": partial(
                said, guarantee=replace(guarantee, violated=lambda group: smt.BoolVal(False))
            ),
            "the check of results never finds anything": partial(
                said, guarantee=replace(guarantee, violation=lambda group, results: None)
            ),
            "it excludes a possible group": partial(said, _otherwise(world, _nobody_alone)),
            "the owner of a queue is wrong": partial(said, _otherwise(world, _last_has_nothing)),
            "the length of a result is wrong": partial(said, _otherwise(world, _last_has_more)),
        }
        found += [Trial(f"formulas: {kind}: {what}", said, changed) for what, changed in wrong.items()]
    return found
