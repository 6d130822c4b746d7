"""Comparison of a solver with concrete strategy code, for each number of queues and consumers.

The solver must find a violation of the claim exactly if the concrete code has one.
"""

from time import perf_counter

from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation import texts as group_texts
from rebalance_proofs.proofs.allocation.search import first_violation, is_model
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.allocation.kinds import SIZES, SOLVER_TIME
from rebalance_proofs.spark_enum.allocation.sweep import setting_of
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

LIMIT = 20.0
"""CPU-time limit of one query in seconds.

At a fixed size all divisors are numerals, and a query takes milliseconds.
"""


def at_size(claim: Claim, bound: tuple[int, int], solver: str = "z3") -> Check:
    """Return the check that compares the solver with the concrete code, for one claim.

    It covers all sizes up to ``bound`` (consumers, queues). All sizes with the same number of consumers are one piece
    of work; the expensive pieces come first.
    """
    consumers, queues = bound
    return Check(
        kind=SIZES,
        name=claim.id,
        pieces=consumers,
        expected=consumers * queues,
        do=lambda piece, keep: compare(claim, consumers - piece, queues, solver, keep),
        subject=subject(claim.subjects),
        setting=setting_of(claim.world),
        bounds={"queues": queues, "consumers": consumers},
        record=lambda totals: {"digest": ""},
    )


def compare(claim: Claim, n: int, max_queues: int, solver: str = "z3", keep: Keep | None = None) -> Totals:
    """Compare the solver with the concrete code for n consumers and each number of queues.

    A spurious solver model counts as inconclusive. Such a model violates the guarantee only because products or
    quotients are replaced by new variables.
    """
    with within(f"{claim.id}: writing the text about {n} consumers"):
        group = claim.world.symbolic(claim.encodings, n)
        text = group_texts.violation_at(claim.id, claim.guarantee, claim.world, group)
    sizes = range(1, max_queues + 1)
    start = perf_counter()
    said = SOLVERS[solver].solve_all([group_texts.at(text, q) for q in sizes], seconds=LIMIT)
    totals = Totals(counted=len(sizes))
    totals.numbers[SOLVER_TIME] = round((perf_counter() - start) * 1e6)
    exact = texts.exact(text)
    differs: list[str | None] = []
    for q, (outcome, model, reason) in zip(sizes, said, strict=True):
        with within(f"{claim.id}: checking the groups of {n} consumers and {q} queues"):
            concrete = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
        spurious = outcome is Outcome.SAT and not concrete and not exact
        spurious = spurious and not is_model(claim.guarantee, group, model)
        differs.append(None)
        if outcome is not (Outcome.SAT if concrete else Outcome.UNSAT) and not spurious:
            sentence = concrete.sentence if concrete else "no violation"
            answer = f"{outcome} ({reason})" if reason else outcome
            differs[-1] = wrong = f"{n} consumers, {q} queues: {solver} answers {answer}, concrete: {sentence}"
            totals.differs(Wrong((n, q), (), wrong))
    if keep:
        found = [str(outcome) for outcome, _, _ in said]
        keep(consumers=[n] * len(sizes), queues=list(sizes), found=found, differs=differs)
    return totals
