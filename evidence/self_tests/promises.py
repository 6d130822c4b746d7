"""The claims about transitions on the clients' code, given claims that say the opposite and a case too few."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.transition.results import Promised
from rebalance_proofs.spark_enum.transition.trials import gathered, promised, uses
from rebalance_proofs.spark_enum.transition.trials import trials as needed
from rebalance_proofs.spark_enum.witness import compare

HOLDS, FAILS = "transition.node.exact", "transition.node.others.with-foreign-queues"
DEPTHS = (2,)
"""Departures from a benign round of one queue: enough to break the claim that does not hold."""


def _promised(claim: Claim, pieces: slice = slice(None)) -> Promised:
    """What the run records about the claim, in the pieces of work that are named."""
    sizes = [(queues, fewer) for queues, depth in enumerate(DEPTHS, 1) for fewer in range(depth + 1)]
    work = needed([claim], uses([claim]), sizes)
    found = [(piece, work(piece)) for piece in range(len(work.pieces))]
    counts = gathered(work, found[pieces])
    return promised(claim, DEPTHS, {mode: counts[0, mode] for mode in claim.world.modes})


def _said(claim: Claim, pieces: slice = slice(None)) -> Sequence[str]:
    found = _promised(claim, pieces)
    against = compare([claim], Enumerated("", "", promised=(found,))).unexpected
    return (*failures(found), *against)


def trials() -> list[Trial]:
    """A promise that is kept and is expected to be broken, one that is broken and is expected to be kept, and more."""
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
    left_out = Trial("promises: cases are passed over", partial(_said, holds), partial(_said, holds, slice(1, None)))
    return [*found, left_out]
