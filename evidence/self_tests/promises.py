"""Self-tests of claims about transitions on the clients' code, by opposite claims and by a missing case."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.totals import Totals
from rebalance_proofs.spark_enum.transition.trials import promises as tried
from rebalance_proofs.spark_enum.witness import compare

HOLDS, FAILS = "transition.node.exact", "transition.node.others.with-foreign-queues"
DEPTHS = (2,)
"""Deviations from a benign round of one queue: enough to refute the claim that does not hold."""


def _said(claim: Claim, passed_over: bool = False) -> Sequence[str]:
    """The failures that a run lists for the claim; ``passed_over``: whether the last shard is left out."""

    def run(checks: Sequence[Check]) -> list[Totals]:
        return here([replace(check, pieces=check.pieces - passed_over) for check in checks])

    (found,) = tried(run, [claim], DEPTHS)
    return (*failures(found), *compare([claim], Enumerated("", "", (found,))).unexpected)


def trials() -> list[Trial]:
    """Self-tests: a guarantee that holds and is expected to fail, one that fails and is expected to hold, and more."""
    (holds,), (fails,) = select([HOLDS]), select([FAILS])
    silent = replace(fails.guarantee, violation=lambda rounds: None)
    loud = replace(holds.guarantee, violation=lambda rounds: "something is wrong.")
    wrong = {
        "one that is kept is expected to be broken": (holds, replace(holds, holds=False)),
        "one that is broken is expected to be kept": (fails, replace(fails, holds=True)),
        "a test of what was done that never finds anything": (fails, replace(fails, guarantee=silent)),
        "a test of what was done that always finds something": (holds, replace(holds, guarantee=loud)),
    }
    found = [
        Trial(f"promises: {name}", partial(_said, right), partial(_said, changed))
        for name, (right, changed) in wrong.items()
    ]
    left_out = Trial("promises: cases are passed over", partial(_said, holds), partial(_said, holds, True))
    return [*found, left_out]
