"""Self-tests of comparing solver and enumerator size by size.

The input is wrong: only one of the two finds a violation.
"""

from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.spark_enum.allocation.sweep import at_size

HOLDS, FAILS = "allocation.avg.disjoint", "allocation.avg.covers.without-distinct-ids"
MUTANT = "mod-left-out"
"""An encoding of AVG with a deliberate error: it gives one queue to two consumers."""
SIZE = (2, 3)
"""The largest (consumers, queues) of the solver's queries."""


def _said(claim: Claim, solver: str) -> tuple[str, ...]:
    return said_of(at_size(claim, SIZE, solver))


def _wrong_encoding(claim: Claim) -> Claim:
    (strategy,) = claim.subjects
    mutant = next(mutant for mutant in strategy.mutants if mutant.name == MUTANT)
    return replace(claim, subjects=(replace(strategy, encoding=mutant.encoding),))


def trials(solver: str = "z3") -> list[Trial]:
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
        Trial(f"sizes: {name}", partial(_said, right, solver), partial(_said, changed, solver))
        for name, (right, changed) in wrong.items()
    ]
