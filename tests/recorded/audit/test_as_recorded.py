"""The audit of every shipped recording's logs, compared with what `rebalance record` reports of its events."""

import pytest

from benchmarks.audit_truth.as_recorded import differences
from benchmarks.audit_truth.owned import score
from benchmarks.audit_truth.recorded import happened
from tests.recorded.audit.audited import LOGS, RECORDED, of_recorded

DIFFERENCES = {
    "java-4.9.8/b_sigstop": {
        "G pause T1:b0 0-2: recorded listener-blocks, found subscription-not-latest": (
            "No log line shows that a listener runs; pulls of the same member were refused shortly before."
        ),
    },
    "java-5.3.3/ordered_all": {
        "J12 overlap T1:b0 5-7: recorded forced-unlock, found hand-over-ordered, slow-listener": (
            "The recorder asked the broker to unlock; no client logs such a request."
        ),
        "J12 pause T1:b0 3: recorded marked-until-timer, found waits-for-crashed, waits-for-living, "
        "waits-for-shut-down": "From 5.2.0 on, a client logs nothing when it keeps a queue whose listener runs.",
    },
}
"""Recording -> each difference between record and audit, and its reason."""
WITHOUT_EVENTS = {"java-4.9.8/g_mixed"}
"""Recordings with logs, whose events are not shipped."""


def test_every_recording_with_logs_is_compared():
    shipped = {f"{path.parent.name}/{path.name}" for path in LOGS.glob("java-*/*")}
    assert shipped == DIFFERENCES.keys() | WITHOUT_EVENTS
    assert not any((RECORDED / "groups" / name).exists() for name in WITHOUT_EVENTS)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_audit_finds_what_record_reports_except_for_listed_differences(tmp_path, name):
    found = of_recorded(name, tmp_path)
    assert set(differences(RECORDED / "groups" / name, found)) == DIFFERENCES[name].keys()


def test_missing_finding_is_a_difference(tmp_path):
    name = "java-4.9.8/b_sigstop"
    found = of_recorded(name, tmp_path)
    for group in found.groups:
        group.findings[:] = [one for one in group.findings if one.what.value != "back"]
    assert set(differences(RECORDED / "groups" / name, found)) - DIFFERENCES[name].keys() == {
        "G back T1:b0 4-7: not found (late-commit)"
    }


@pytest.mark.parametrize("name", DIFFERENCES)
def test_no_seen_owner_or_gap_contradicts_the_events(tmp_path, name):
    made = score(of_recorded(name, tmp_path), happened(RECORDED / "groups" / name))
    assert (made.false, made.gaps_false, made.extra) == (0, 0, 0)
