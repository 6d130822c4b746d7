"""Each pinned wrong encoding is rejected by a packaged recording, or has a reason why none does."""

from dataclasses import replace
from functools import cache

import pytest

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.page import DECLARED
from rebalance_proofs.report.reality.reasons import NOT_NEEDED, NOT_REJECTED
from rebalance_proofs.report.reality.wrong import CLIENTS, pinned, rejects, tried
from tests.each import each
from tests.recorded.cluster.traces import trace

LONG, STARTS = "java-4.9.8/c2_ordered_long", "java-4.9.8/x_start_threw"
HALF_OPEN, THROWN, COLLECTED = "java-5.3.3/half_open", "java-5.3.3/thrown", "java-5.3.3/collected"
UNLOCK, LOST = "java-4.9.8/l_delayed_unlock", "java-4.9.8/lost_locks"
PREMISES = "java-5.3.3/premises"
REJECTED_BY = {
    "settling": {
        "forgets": LONG,
        "stays-woken": LONG,
        "waits-less": LONG,
        "opens-nothing": "java-4.9.8/j_shutdown",
        "waits-longer": LONG,
        "sees-nothing": LONG,
        "rebalances-itself": LONG,
    },
    "registry": {
        "needs-two": STARTS,
        "takes-all": LONG,
        "scans-nothing": HALF_OPEN,
        "keeps-newest": HALF_OPEN,
        "deaf": UNLOCK,
        "unbelieving": HALF_OPEN,
        "doubles": LONG,
        "silent": LOST,
        "drops": COLLECTED,
        "blind": THROWN,
    },
    "ordered": {
        "trusts-for-ever": UNLOCK,
        "grants-to-all": LONG,
        "under-the-listener": LONG,
        "renews-for-all": LONG,
        "returns-too-early": LONG,
        "frees-any": UNLOCK,
        "adds-unasked": STARTS,
    },
    "pulls": {
        "pulls-suspended": THROWN,
        "keeps-all": LONG,
        "goes-on": COLLECTED,
        "never-expires": THROWN,
        "keeps-sent": COLLECTED,
        "forgets": STARTS,
        "repairs-others-hits-own-entry": "java-5.3.3/repairs",
        "repairs-others-repairs-while-held": "java-5.3.3/repairs",
    },
    "subscriptions": {
        "counts-versions": LONG,
        "sends-nothing": LONG,
        "first-stays": STARTS,
        "adds-only": LOST,
        "takes-any": LONG,
        "takes-none": LONG,
        "adds-nothing": UNLOCK,
        "stays-known": PREMISES,
    },
    "offsets": {
        "commits-more": STARTS,
        "remembers-less": COLLECTED,
        "takes-the-next": COLLECTED,
        "begins-before": COLLECTED,
        "consumes-again": COLLECTED,
        "fixes-the-next": LONG,
        "fixes-before": LONG,
        "forgets-first": LONG,
        "lets-go": STARTS,
    },
}
LEAST = 0.6
"""The share of each machine's wrong encodings that recordings have to reject."""


@each(("machine", "name"), [(machine, name) for machine, names in REJECTED_BY.items() for name in names])
def test_wrong_encoding_is_rejected_by_its_recording(machine, name):
    recording = REJECTED_BY[machine][name]
    assert accepted(machine, recording)
    assert rejects(machine, trace(recording), calls_of(recording), name)


@cache
def accepted(machine, recording) -> bool:
    """Whether the right encoding accepts the recording, which most wrong encodings of a machine share."""
    return CHECKS[machine](trace(recording), calls_of(recording)).accepted


@cache
def calls_of(recording) -> Calls:
    return Calls(trace(recording))


@each("machine", CLIENTS)
def test_each_wrong_encoding_is_rejected_or_has_a_reason(machine):
    """The clients of three recorded releases."""
    every = set(pinned(machine, [trace(STARTS), trace(THROWN), trace("java-5.2.0/broker_killed")]))
    rejected, left = set(REJECTED_BY[machine]), set(NOT_REJECTED[machine])
    assert rejected | left == every
    assert not rejected & left
    assert len(rejected) >= LEAST * len(every)


def test_wrong_encoding_applies_only_to_clients_with_that_behaviour():
    run = trace(STARTS)
    assert not rejects("settling", run, Calls(run), "hurries"), "4.9.8 has no least interval to be shortened"
    wrong = replace(run, encodings={"pulls": lambda client: None})
    assert CHECKS["pulls"](wrong, Calls(run)).accepted


def test_reasons_name_existing_actions_not_needed_by_small_recordings():
    assert NOT_NEEDED.keys() == DECLARED.keys() == NOT_REJECTED.keys()
    for machine, reasons in NOT_NEEDED.items():
        assert reasons.keys() <= DECLARED[machine].keys()
        needed = {name for of in (LONG, STARTS, THROWN, HALF_OPEN, COLLECTED) for name in _shown(machine, of)}
        assert not reasons.keys() & needed


def _shown(machine, of):
    return CHECKS[machine](trace(of), Calls(trace(of))).shown


@pytest.mark.slow
def test_reasons_exist_exactly_for_the_unused_actions():
    """Checked with all recordings: an action has a reason exactly if no recording needs it."""
    traces = [trace(name) for name in all_shipped()]
    for machine, reasons in NOT_NEEDED.items():
        needed = {name for of in traces for name in CHECKS[machine](of, Calls(of)).shown}
        assert reasons.keys() == DECLARED[machine].keys() - needed
    for one in tried(traces):
        assert one.left.keys() == NOT_REJECTED[one.machine].keys()
