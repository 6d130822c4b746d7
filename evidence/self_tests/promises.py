"""Self-tests of checking claims about rebalances.

A claim states the opposite, or a case is missing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.results import Enumerated, Totals
from rebalance_proofs.spark_enum.transition.trials import promises as tried
from rebalance_proofs.spark_enum.witness import compare

HOLDS, FAILS = "transition.node.exact", "transition.node.others.with-foreign-queues"
DEPTHS = (2,)
"""Numbers of deviations from a rebalance without failures that refute the failing claim."""


def _said(claim: Claim, passed_over: bool = False) -> Sequence[str]:
    """Return the failures that a run lists for the claim.

    ``passed_over``: whether the last part of the cases is skipped.
    """

    def run(checks: Sequence[Check]) -> list[Totals]:
        return here([replace(check, pieces=check.pieces - passed_over) for check in checks])

    (found,) = tried(run, [claim], DEPTHS)
    return (*failures(found), *compare([claim], Enumerated("", "", (found,))).unexpected)


def trials() -> list[Trial]:
    """Return the self-tests: a guarantee with the opposite expectation, and broken checks."""
    (holds,), (fails,) = select([HOLDS]), select([FAILS])
    silent = replace(fails.guarantee, violation=lambda rounds: None)
    loud = replace(holds.guarantee, violation=lambda rounds: "a fault is reported.")
    wrong = {
        "a guarantee that holds is expected to fail": (holds, replace(holds, holds=False)),
        "a guarantee that fails is expected to hold": (fails, replace(fails, holds=True)),
        "the check of a round never finds anything": (fails, replace(fails, guarantee=silent)),
        "the check of a round always finds something": (holds, replace(holds, guarantee=loud)),
    }
    found = [
        Trial(f"promises: {name}", partial(_said, right), partial(_said, changed))
        for name, (right, changed) in wrong.items()
    ]
    left_out = Trial("promises: cases are skipped", partial(_said, holds), partial(_said, holds, True))
    return [*found, left_out]
