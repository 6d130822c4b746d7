"""This project's strategies, checked as a user's, agree with the ledger."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.names import NAMINGS, PLAIN
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.proofs.allocation.search import first_violation
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.own.rows import Holds
from rebalance_proofs.spark_enum.own.spaces import WORLDS, OwnSpace
from rebalance_proofs.spark_enum.own.tried import try_out
from tests.spark_enum.own.here import Calling, checked

STRATEGIES = {one.name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE)}
EXPECTED = {claim.id.partition(".")[2]: claim.expected for claim in LEDGER}


@cache
def found(name):
    return checked(STRATEGIES[name].allocate, bound=6, groups=2400)


@pytest.mark.parametrize("name", STRATEGIES)
def test_rows_agree_with_the_claims_of_the_ledger(name):
    compared = 0
    for row in found(name).rows:
        expected = EXPECTED.get(f"{name}.{row.name}")
        if expected is not None:
            assert row.holds is {Verdict.PROVED: Holds.YES, Verdict.REFUTED: Holds.NO}[expected], row.name
            compared += 1
    assert compared >= 20


@cache
def worker(name):
    return PythonWorker(named(f"{STRATEGIES[name].allocate.__module__}:allocate"))


@given(
    st.sampled_from(sorted(STRATEGIES)),
    st.sampled_from([name for name, (world, _) in WORLDS.items() if world.subjects == 1]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(NAMINGS),
)
@settings(max_examples=60)
def test_smallest_group_equals_that_of_the_search(name, world_name, n, q, naming):
    """The child's results and the batches are compared with the project's own code, group by group."""
    world, guarantees = WORLDS[world_name]
    strategy = STRATEGIES[name]
    space = OwnSpace(world, guarantees, naming, (n, q))
    configurations = [one for one in space.space if (one.consumers, one.queues) == (n, q)]
    tried = try_out(space, Asked(worker(name)), configurations)
    assert tried.groups == world.groups(n, q)
    for guarantee in guarantees:
        expected = first_violation(guarantee, world, (strategy,), n, q)
        wrong = tried.broken.get(guarantee.name)
        assert (wrong.digits if wrong else None) == (expected.values if expected else None)
        if wrong and naming is PLAIN:
            assert wrong.sentence == expected.sentence


def test_worker_process_gives_the_reported_result():
    """The same with another worker, so that the two tests above do not depend on one."""
    world, guarantees = WORLDS["agreed"]
    space = OwnSpace(world, guarantees, PLAIN, (4, 4))
    here = try_out(space, Asked(Calling(AVERAGELY.allocate)), list(space.space))
    there = try_out(space, Asked(worker("avg")), list(space.space))
    assert here == there


def teardown_module():
    for name in STRATEGIES:
        worker(name).__exit__(None, None, None)
