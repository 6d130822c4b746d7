"""At each size: does the solver find a violation exactly where the concrete implementation has one?"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from rebalance_proofs.model.allocation.strategy import subject
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.smallest import first_violation, is_model
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.allocation.kinds import SIZES, SOLVER_TIME
from rebalance_proofs.spark_enum.allocation.sweep import setting_of
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Finding, Wrong
from rebalance_proofs.spark_enum.rows import Rows
from rebalance_proofs.spark_enum.totals import Totals

LIMIT = 20.0
"""Seconds for one question. At one size all divisors are numerals, and a question takes milliseconds."""


@dataclass(frozen=True)
class AtSize(Check):
    """One claim, and the sizes at which solver and concrete implementation are asked."""

    claim: Claim
    max_consumers: int
    max_queues: int
    solver: str = "z3"

    kind: ClassVar[str] = SIZES

    @property
    def name(self) -> str:
        return self.claim.id

    @property
    def subject(self) -> str:
        return subject(self.claim.subjects)

    @property
    def setting(self) -> str:
        return setting_of(self.claim.world)

    @property
    def bounds(self) -> Mapping[str, int]:
        return {"queues": self.max_queues, "consumers": self.max_consumers}

    @property
    def pieces(self) -> int:
        """One for each number of consumers; the dear ones come first."""
        return self.max_consumers

    @property
    def expected(self) -> int:
        return self.max_consumers * self.max_queues

    def __call__(self, piece: int, rows: Rows | None = None) -> Totals:
        """Where products or quotients are named in the text, a model that is none with the real ones says nothing."""
        claim, n = self.claim, self.max_consumers - piece
        with within(f"{claim.id}: writing the text about {n} consumers"):
            group = claim.world.symbolic(claim.encodings, n)
            text = texts.violation_at(claim.id, claim.guarantee, claim.world, group)
        sizes = range(1, self.max_queues + 1)
        start = perf_counter()
        said = SOLVERS[self.solver].solve_all([texts.at(text, q) for q in sizes], seconds=LIMIT)
        totals = Totals(counted=len(sizes))
        totals.numbers[SOLVER_TIME] = round((perf_counter() - start) * 1e6)
        exact = texts.exact(text)
        differs: list[str | None] = []
        for q, (outcome, model, reason) in zip(sizes, said, strict=True):
            with within(f"{claim.id}: going through the groups of {n} consumers and {q} queues"):
                concrete = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
            spurious = outcome is Outcome.SAT and not concrete and not exact
            spurious = spurious and not is_model(claim.guarantee, group, model)
            differs.append(None)
            if outcome is not (Outcome.SAT if concrete else Outcome.UNSAT) and not spurious:
                sentence = concrete.sentence if concrete else "no violation"
                answer = f"{outcome} ({reason})" if reason else outcome
                differs[-1] = f"{n} consumers, {q} queues: {self.solver} says {answer}, concrete: {sentence}"
                totals.differs(Wrong((n, q), (), differs[-1]))
        if rows and sizes:
            found = [str(outcome) for outcome, _, _ in said]
            rows.add(self.label, consumers=[n] * len(sizes), queues=sizes, found=found, differs=differs)
        return totals

    def finding(self, totals: Totals, **changes) -> Finding:
        return super().finding(totals, digest="", **changes)
