"""One small run with real results, shared by all tests of reports."""

import asyncio
from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.report.results.run import Run
from tests.report.runs import BROKEN, CONFORMANCE, DEPENDENT, ENUMERATED, OVERDUE, SELF_TEST, WORK


@pytest.fixture(scope="session")
def green() -> Run:
    """A green run: one claim proved, two refuted, the rest made by hand."""
    claims = select(["allocation.circle.disjoint", "allocation.circle.contiguous", DEPENDENT])
    return Run(
        command="rebalance verify --output runs/today",
        started="2025-01-31T12:00:00+00:00",
        seconds=63.2,
        versions={"rebalance-proofs": "0.1.0", "z3": "4.13.4"},
        options={"solver": "both", "timeout": 20.0, "quick": True},
        claims=tuple(asyncio.run(prove(claims, Options(stability=1)))),
        enumerated=ENUMERATED,
        conformance=CONFORMANCE,
        self_tests=(SELF_TEST,),
        required=(WORK,),
    )


@pytest.fixture(scope="session")
def transitions(green) -> Run:
    """A run with claims about transitions: one proved, others refuted in one round, in two rounds, for two clients."""
    names = ["transition.java_v5_2.exact", OVERDUE, "transition.java_v5_0.returns.own-store", VERSIONS_DIFFER]
    return replace(green, claims=tuple(asyncio.run(prove(select(names), Options()))), enumerated=None)


VERSIONS_DIFFER = "transition.java_v4_9+java_v5_0.same.own-store"


@pytest.fixture(params=BROKEN)
def broken(request, green) -> Run:
    """The same run with one failure."""
    return BROKEN[request.param](green)
