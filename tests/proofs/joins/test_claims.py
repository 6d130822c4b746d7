"""Claims about several joins and restarts, judged by both solvers and compared with brute force."""

from itertools import product

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.worlds.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.proofs.allocation.joins import GIVES, ONCE, RESTART, claims, paths
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from tests.each import each
from tests.proofs.judged import assert_as_expected

CLAIMS = {claim.id: claim for claim in claims()}
PROVED = ("joins.avg.restart", "joins.hash.no-return", "joins.hash.several")


@pytest.fixture(scope="module")
def judged(proved):
    """Results by claim id."""
    return {name: proved[name] for name in CLAIMS if name in proved}


def test_join_claims_are_listed():
    assert list(CLAIMS) == [
        "joins.avg.once",
        "joins.avg.no-return",
        "joins.avg.restart",
        "joins.avg.own-only",
        "joins.circle.once",
        "joins.circle.no-return",
        "joins.circle.own-only",
        "joins.hash.once",
        "joins.hash.no-return",
        "joins.hash.several",
    ]
    for name, claim in CLAIMS.items():
        assert claim.expected is (Verdict.PROVED if name in PROVED else Verdict.REFUTED)


@each("name", CLAIMS, within="judged")
def test_join_claims_are_proved_by_both_solvers(name, judged):
    assert_as_expected(judged[name])


@pytest.mark.parametrize(
    "entry", [entry for entry in GIVES if not entry[2].sized], ids=lambda part: getattr(part, "name", "")
)
def test_join_formula_and_results_agree(entry):
    """In all small groups; the kernels are the formulas that the solvers get."""
    strategy, guarantee, world, obligations = entry
    rows = list(GroupCheck(world, (strategy,), (guarantee,))(Space(world, 5, 6)))
    assert not [row.mismatch for row in rows if row.mismatch]
    assert any(said for row in rows for said in row.violations) is not bool(obligations)


@pytest.mark.parametrize("strategy", [AVERAGELY, AVERAGELY_BY_CIRCLE], ids=lambda strategy: strategy.name)
def test_joins_in_turn_move_at_least_as_many_queues_as_joins_at_once(strategy):
    for n, q in product((3, 4, 5), range(1, 8)):
        for first, second in TWO_JOINS.all_values(n, q):
            one_by_one = TWO_JOINS.group((strategy,), n, q, (first, second))
            joint = SEVERAL_JOIN.group((strategy,), n, q, tuple(int(p in (first, second)) for p in range(n)))
            assert joint.allocate() == one_by_one.allocate()
            steps = [changed_hands(stage, stage.allocate()) for stage in (one_by_one.reference, one_by_one)]
            at_once = changed_hands(joint, joint.allocate())
            twice = [
                path for path in paths(one_by_one, one_by_one.allocate()) if path.before != path.between != path.after
            ]
            returned = [path for path in twice if path.before == path.after]
            assert sum(steps) == at_once + len(twice) + len(returned)
            assert (ONCE.violation(one_by_one, one_by_one.allocate()) is None) == (sum(steps) == at_once)


def test_wrong_count_of_moved_queues_is_named():
    group = CLAIMS["joins.avg.restart"].world.group((AVERAGELY,), 3, 4, (0, 0))
    results = group.allocate()
    assert RESTART.violation(group, results) is None
    assert RESTART.violation(group, results[::-1]) == "queue 0 is not back with c0."
    moved = CLAIMS["joins.avg.restart"].world.group((AVERAGELY,), 3, 4, (0, 2))
    assert RESTART.violation(moved, moved.allocate()) is None
    said = RESTART.violation(moved, moved.allocate()[::-1])
    assert said == "6 queues change hands in the two steps, not 4."
