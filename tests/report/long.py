"""Smallest counterexamples that take seconds to find, given by their departures from a benign round."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import numbers_of
from rebalance_proofs.proofs.transition.search import run_case
from rebalance_proofs.report.transition import kind

MARKED = {"in_set": 0, "persist": 2, "in_set_2": 0}
NOT_PULLED = {"present": 0, "present_2": 0, "stored_2": -9}
FIRST_NOT_PULLED = {"present": 0, "present_2": 0, "stored": -9}
CASES = {
    "transition.java_v4_9.marked.own-store": MARKED,
    "transition.java_v5_0.pulls.push-own-store": NOT_PULLED,
    "transition.java_v5_2.pulls.push-own-store": NOT_PULLED,
    "transition.java_v4_9_0.pulls.push-own-store": NOT_PULLED,
    "transition.java_v4_9+java_v5_0.same.own-store": MARKED,
    "transition.java_v4_9_0+java_v4_9_1.same.push-and-lite-pull-own-store": FIRST_NOT_PULLED,
}
"""Cases of two queues, in the mode named first. The slow tests of ``test_every_counterexample.py`` search for them."""
LONG = select([*CASES])


def known(claim: Claim) -> Counterexample:
    """Result of the client's code in that case, which has to break the promise."""
    values, scenario = CASES[claim.id], claim.world
    mode, case = scenario.modes[0], numbers_of(values, 2, scenario.rounds)
    assert scenario.admits(case, mode)
    rounds = run_case(scenario, claim.subjects[0], mode, case)
    sentence = claim.guarantee.violation(rounds)
    assert sentence, f"{claim.id} is not broken any more by what is known of it"
    return Counterexample(1, 2, (), rounds, sentence, len(values))


@contextmanager
def not_sought() -> Iterator[None]:
    """Where documents are written, these are not looked for."""
    sought = kind.plainest_violation

    def plainest(guarantee: Any, scenario: Any, client: Any, queues: int) -> Counterexample | None:
        for claim in LONG:
            if (claim.guarantee, claim.world, claim.subjects[0]) == (guarantee, scenario, client):
                return known(claim) if queues == 2 else None
        return sought(guarantee, scenario, client, queues)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kind, "plainest_violation", plainest)
        yield
