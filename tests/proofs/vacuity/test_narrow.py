"""Intended exclusions by premises: for each client that logs failures, and for nothing else."""

from itertools import product

import pytest

from rebalance_proofs.proofs.vacuity.ask import LOGGED, NARROW, narrow

WHERE, WHEN = ("removing", "adding", "ever"), ("", "_again")
LOGGING = {f"thrown_{where}{when} = 1, with the client's own stores" for where, when in product(WHERE, WHEN)}
"""That something is thrown, in either round, with the stores that the client ships."""


@pytest.mark.parametrize("name", ["exact", "held", "no such obligation"])
def test_java_client_with_default_stores_excludes_exceptions(name):
    told = narrow("java_v5_2", name)
    assert {goal for goal, why in told.items() if why == LOGGED} == LOGGING
    assert {goal: why for goal, why in told.items() if why != LOGGED} == NARROW.get(name, {})
    assert narrow("node", name) == narrow("avg", name) == NARROW.get(name, {})


def test_reason_of_the_obligation_precedes_that_of_the_client():
    told = narrow("java_v5_2", "changed")
    assert {*told} == LOGGING | {*NARROW["changed"]}
    assert all(told[goal] == why for goal, why in NARROW["changed"].items())
