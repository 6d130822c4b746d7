"""Number of consumers with a queue, as formula and as test of results; and that it follows from others."""

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.amounts import BALANCED
from rebalance_proofs.proofs.allocation.claims import SERVED, few_queues
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.claim import Verdict
from tests.proofs.allocation.handmade import can_be_violated, said
from tests.unshipped import UNSHIPPED


def test_served_claims_are_listed():
    assert all("served" in strategy.holds for strategy in STRATEGIES if strategy not in UNSHIPPED)
    assert {claim.id.split(".")[1]: claim.expected for claim in few_queues()} == {
        "hash": Verdict.REFUTED,
        "hash-go": Verdict.REFUTED,
        "nearby": Verdict.REFUTED,
    }


def test_wrong_number_of_served_consumers_is_reported():
    assert said(SERVED, 2, [[0], [1]]) is None
    assert said(SERVED, 1, [[], [0]]) is None
    assert said(SERVED, 2, [[0, 1], []]) == "1 of 2 consumers have a queue, but min(q, c) is 2."


def test_served_follows_from_balanced_and_idle():
    """For every number of queues and consumers and all shares: where these two hold, it holds."""
    counts = smt.Ints("x0 x1 x2 x3")
    q = smt.Int("q")
    for n in range(1, 5):
        some = counts[:n]
        shares = [count == q / n + smt.If(index < q % n, 1, 0) for index, count in enumerate(some)]
        busy = smt.Sum([smt.If(count > 0, 1, 0) for count in some])
        surplus = smt.Implies(n > q, n - busy == n - q)
        solver = Solver()
        solver.add(q >= 1, *shares, surplus, busy != smt.If(q < n, q, n))
        assert solver.check() == unsat


def test_retry_topic_with_one_queue_serves_one_consumer():
    group = AGREED.group((AVERAGELY,), 5, 1, ())
    assert [len(result) for result in group.allocate()] == [1, 0, 0, 0, 0]
    assert SERVED.violation(group, group.allocate()) is None
    assert BALANCED.violation(group, group.allocate()) is IDLE.violation(group, group.allocate()) is None


def test_served_mutant_is_detected():
    (wrong,) = [mutant.encoding for mutant in AVERAGELY.mutants if mutant.breaks == "served"]
    assert can_be_violated(SERVED, wrong, 3, range(1, 7))
    assert not can_be_violated(SERVED, AVERAGELY.encoding, 3, range(1, 7))
