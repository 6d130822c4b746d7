"""Random edits of recordings: events removed, moved in time, names exchanged. Most are detected."""

from collections import Counter

import pytest

from rebalance_proofs.recorded.cluster.edits import EDITS, Edit, edited
from tests.recorded.cluster.traces import accepted, trace
from tests.recorded.groups.seen import SCENARIOS

MACHINES = ("allocation", "transition", "settling", "registry", "ordered", "offsets", "pulls", "subscriptions")
LEAST = 0.6
"""The share of edits that has to be rejected, of each machine."""


def rejected(scenario: str, machine: str, seeds: range) -> tuple[Counter[str], list[Edit]]:
    """How many edits of that machine's events there were, how many are rejected; and those that are not."""
    counted, left = Counter[str](), []
    for seed in seeds:
        edit, lied = edited(trace(scenario), seed, machine)
        counted["all"] += 1
        if accepted(lied):
            left.append(edit)
        else:
            counted["rejected"] += 1
    return counted, left


def test_edit_depends_on_its_seed_only():
    run = trace("java-4.9.8/x_start_threw")
    assert edited(run, 3)[0] == edited(run, 3)[0]
    assert len({edited(run, seed)[0].event.row for seed in range(20)}) > 10
    assert {edited(run, seed)[0].kind for seed in range(20)} == set(EDITS)


def test_most_edits_are_rejected():
    counted = Counter[str]()
    for machine in ("transition", "settling", "registry", "ordered", "offsets", "pulls"):
        found, _ = rejected("java-4.9.8/c2_ordered_long", machine, range(4))
        counted += found
    assert counted["rejected"] >= LEAST * counted["all"], counted


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_edits_are_rejected_machine_by_machine(machine):
    counted, left = Counter[str](), []
    for scenario in SCENARIOS:
        try:
            found, missed = rejected(scenario, machine, range(30))
        except IndexError:  # no event of that machine
            continue
        counted += found
        left += missed
    assert counted["rejected"] >= LEAST * counted["all"], left
