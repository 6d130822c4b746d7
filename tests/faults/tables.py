"""All faults, by the part of the checker."""

from collections.abc import Mapping

from tests.faults import (
    alike,
    audits,
    bounds,
    certificates,
    check,
    code,
    enumerator,
    explorer,
    guarantees,
    linearizer,
    offsets,
    ordered,
    premises,
    promises,
    pulls,
    registry,
    reporting,
    scenarios,
    settling,
    solvers,
    subscriptions,
    terms,
    weakened,
)
from tests.faults.fault import Fault

FAULTS: Mapping[str, tuple[Fault, ...]] = {
    "bounds": bounds.FAULTS,
    "code": code.FAULTS,
    "terms": terms.FAULTS,
    "alike": alike.FAULTS,
    "guarantees": guarantees.FAULTS,
    "premises": premises.FAULTS,
    "promises": promises.FAULTS,
    "scenarios": scenarios.FAULTS,
    "settling": settling.FAULTS,
    "subscriptions": subscriptions.FAULTS,
    "solvers": solvers.FAULTS,
    "linearizer": linearizer.FAULTS,
    "enumerator": enumerator.FAULTS,
    "explorer": explorer.FAULTS,
    "offsets": offsets.FAULTS,
    "ordered": ordered.FAULTS,
    "pulls": pulls.FAULTS,
    "registry": registry.FAULTS,
    "reporting": reporting.FAULTS,
    "certificates": certificates.FAULTS,
    "check": check.FAULTS,
    "audits": audits.FAULTS,
    "weakened": weakened.FAULTS,
}
"""Part of the checker -> its faults."""
