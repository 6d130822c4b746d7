"""Self-tests of comparing allocations of groups: wrong encodings, and formulas with one mistake."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.enumerated import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Groups, SymbolicGroup
from rebalance_proofs.model.worlds.settings import with_length
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.allocation.sweep import at_size, sweep

POSITIONS = (3, 4)
"""The largest (consumers, queues) of groups that are compared."""
RIGHT: Encoding = AVERAGELY.encoding


def _owns_beyond(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``owns``: the first consumer also owns the position after the last one."""
    return smt.Or(RIGHT.owns(q, c, index, position), smt.And(index == 0, position == q))


def _not_owned(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``owns``: no consumer owns the last of four positions."""
    return smt.And(RIGHT.owns(q, c, index, position), position != 3)


def _counts_one_more(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return a wrong ``count``: one too many for the last of three consumers."""
    return RIGHT.count(q, c, index) + smt.If(index == 2, 1, 0)


def _first_twice(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, k: smt.IntTerm) -> smt.IntTerm:
    """Return a wrong ``element``: the second of a consumer's queues is the first one again."""
    return RIGHT.element(q, c, index, smt.If(k == 1, 0, k))


WRONG: dict[str, Encoding] = {
    "the owner of a queue is wrong": replace(RIGHT, owns=_not_owned),
    "a position after the last queue has an owner": replace(RIGHT, owns=_owns_beyond),
    "the queue count of a consumer is wrong": replace(RIGHT, count=_counts_one_more),
    "the order of queues in a result is wrong": replace(RIGHT, element=_first_twice),
}
"""Name of a fault -> an encoding with that fault in one part."""


def positions() -> list[Trial]:
    """Return a self-test for each compared part of a strategy's encoding."""

    def said(encoding: Encoding) -> tuple[str, ...]:
        check = GroupCheck(AGREED, (replace(AVERAGELY, encoding=encoding),), ())
        return said_of(sweep(Space(AGREED, *POSITIONS), check))

    return [Trial(f"positions: {name}", partial(said, RIGHT), partial(said, wrong)) for name, wrong in WRONG.items()]


HOLDS, FAILS = "allocation.avg.disjoint", "allocation.avg.covers.without-distinct-ids"
MUTANT = "mod-left-out"
"""An encoding of AVG with a deliberate error: it gives one queue to two consumers."""
SIZE = (2, 3)
"""The largest (consumers, queues) of the solver's queries."""


def _said_of_sizes(claim: Claim, solver: str) -> tuple[str, ...]:
    return said_of(at_size(claim, SIZE, solver))


def _wrong_encoding(claim: Claim) -> Claim:
    (strategy,) = claim.subjects
    mutant = next(mutant for mutant in strategy.mutants if mutant.name == MUTANT)
    return replace(claim, subjects=(replace(strategy, encoding=mutant.encoding),))


def sizes(solver: str = "z3") -> list[Trial]:
    """Return self-tests with a violation that only the solver, or only the enumerator, finds."""
    holds, fails = select([HOLDS])[0], select([FAILS])[0]
    never = replace(fails.guarantee, violated=lambda group: smt.BoolVal(False))
    silent = replace(fails.guarantee, violation=lambda group, results: None)
    wrong = {
        "the encoding is wrong": (holds, _wrong_encoding(holds)),
        "the formula is never violated": (fails, replace(fails, guarantee=never)),
        "the check of results never finds anything": (fails, replace(fails, guarantee=silent)),
    }
    return [
        Trial(f"sizes: {name}", partial(_said_of_sizes, right, solver), partial(_said_of_sizes, changed, solver))
        for name, (right, changed) in wrong.items()
    ]


CLAIMS = {
    "a formula for any number of queues": ("allocation.avg.disjoint.without-same-cid-all", (2, 2)),
    "a formula for one size": ("allocation.hash.disjoint.without-same-cid-all", (2, 1)),
}
"""Kind of formula -> a refuted claim, and the largest (consumers, queues) of its groups."""


def _claimed(name: str) -> Claim:
    (claim,) = select([name])
    return claim


def _said_of_groups(
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


def formulas() -> list[Trial]:
    """Return the self-tests of each kind of formula, one for each compared part."""
    found = []
    for kind, (name, size) in CLAIMS.items():
        claim = _claimed(name)
        guarantee, world = claim.guarantee, claim.world
        said = partial(_said_of_groups, claim, size)
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
