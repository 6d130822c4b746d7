"""The required number and size of cases near a benign round."""

from dataclasses import replace

import pytest

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required.cases import promised
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.transition.search import count_cases
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.space import FARTHER, GONE, PROMISES

REFUTED, PROVED, RENEWED = (
    "transition.java_v5_2.kept.push",
    "transition.node.exact",
    "transition.java_v5_0.renewed.push-orderly",
)


def required_of(name: str, depths: tuple[int, ...], deepest: int, *, failed: bool, farther: int = 0, gone: int = 7):
    """What is required of a claim with these depths; ``failed``: whether it did so in its first mode, for which
    ``farther`` cases were tried that are deeper. In the others it did."""
    (claim,) = select([name])
    (first, *others) = claim.world.modes
    numbers = {f"{GONE}, {first.name}": gone - 2, f"{GONE}, another": 2}
    numbers |= {f"{FARTHER}, {first.name}": farther} if farther else {}
    broken = {first.name: int(failed), **{mode.name: 1 for mode in others}}
    row = Finding(PROMISES, name, gone, gone, numbers=numbers, broken=broken)
    bounds = replace(Bounds(), transitions=TransitionBounds(depths=depths, deepest=deepest))
    there, cases = promised(Asked((claim,), bounds=bounds), bounds, Enumerated("", "", (row,)))
    assert (there.expected, there.found) == (1, 1)
    assert cases.found == gone - (farther if failed and name == REFUTED else 0)
    return cases.expected


def counted(name: str, *depths: tuple[int, int] | int) -> int:
    """The same by the search's own count: for one queue and for two, in the first mode and in the others."""
    (claim,) = select([name])
    total = 0
    for place, mode in enumerate(claim.world.modes):
        for queues, depth in enumerate(depths, 1):
            most = depth[0 if place == 0 else 1] if isinstance(depth, tuple) else depth
            total += sum(count_cases(claim.world, claim.subjects[0], mode, queues, more) for more in range(most + 1))
    return total


@pytest.mark.parametrize("name", [REFUTED, PROVED, RENEWED])
def test_each_mode_needs_the_requested_depth(name):
    assert required_of(name, (2, 1), 3, failed=True) == counted(name, 2, 1)


def test_depth_of_a_failing_claim_is_not_required():
    assert required_of(REFUTED, (2, 1), 3, failed=True, farther=3) == counted(REFUTED, 2, 1)


def test_claim_without_failure_and_deeper_search_is_reported():
    assert required_of(REFUTED, (2, 1), 3, failed=False) == counted(REFUTED, (3, 2), (3, 1))


@pytest.mark.parametrize(
    ("depths", "deepest", "gone"), [((2, 1), 3, ((3, 2), (3, 1))), ((2, 1), 1, (2, 1)), ((1, 0), 2, ((2, 1), (2, 0)))]
)
def test_search_without_failure_must_go_to_the_maximum_depth(depths, deepest, gone):
    assert required_of(REFUTED, depths, deepest, failed=False, farther=1) == counted(REFUTED, *gone)


def test_proved_claim_needs_no_deeper_search():
    assert required_of(PROVED, (1, 1), 3, failed=False, farther=1) == counted(PROVED, 1, 1)


def test_claim_that_was_not_run_is_reported():
    (claim,) = select([REFUTED])
    bounds = Bounds()
    (there,) = promised(Asked((claim,), bounds=bounds), bounds, Enumerated("", "", ()))
    assert (there.expected, there.found) == (1, 0)
