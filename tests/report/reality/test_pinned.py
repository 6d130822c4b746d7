"""Pinned results of recorded groups equal the recordings."""

import json
from collections import Counter

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.groups_seen import CAN
from rebalance_proofs.report.reality.monitors.ordered import ordered
from rebalance_proofs.report.reality.pin import row, written
from rebalance_proofs.report.reality.told import happenings, pinned
from rebalance_proofs.report.reality.view import View
from tests.recorded.cluster.traces import SMALL, trace
from tests.report.reality.monitors.test_notice import LIES

FAST = (*SMALL, "java-5.3.3/thrown", "java-5.3.3/lost_requests")
"""Those that take little time; in the last two a member is suspended, and resumes."""
PINNED = {name: vars(one) for name, one in pinned().items()}


def _now(name: str):
    return json.loads(written(row(trace(name)))), json.loads(written(PINNED[name]))


def test_all_packaged_recordings_are_pinned():
    assert set(PINNED) == set(all_shipped())


@pytest.mark.parametrize("name", FAST)
def test_pinned_row_equals_the_recording(name):
    now, then = _now(name)
    assert now == then


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(all_shipped()) - set(FAST)))
def test_other_pinned_rows_equal_their_recordings(name):
    now, then = _now(name)
    assert now == then


@pytest.mark.parametrize("name", ["java-4.9.8/premises", "java-5.3.3/premises"])
def test_overlapping_listeners_are_counted_as_in_long_recordings(name):
    """No fast test reads these recordings completely; one monitor takes seconds."""
    now = Counter[tuple[str, str]]()
    for one in happenings(ordered(View(trace(name)))):
        now.update({(claim, one.what): one.times for claim in one.claims})
    then = {(claim, what): times for claim, own in pinned()[name].happened.items() for what, times in own.items()}
    assert {key: times for key, times in then.items() if key[0].startswith("ordered.")} == now
    assert sum("ran on one ordered queue" in what for _, what in now) > 3


def test_contradicted_claim_is_in_its_row():
    name, lie = LIES["offsets.java_v4_9-orderly.finished.heeded"]
    (contradicted,) = row(lie(trace(name)))["broken"].items()
    assert contradicted[0] == "offsets.java_v4_9-orderly.finished.heeded"
    assert min(contradicted[1].values()) > 0


def test_no_recording_contradicts_a_proved_claim():
    assert [(name, one.broken) for name, one in pinned().items() if one.broken] == []


def test_pinned_claims_are_in_the_ledger_with_their_verdict():
    for one in pinned().values():
        assert all(LEDGER.named(claim).holds for claim in one.kept)
        assert not any(one.holds and one.guarantee.name not in CAN for one in map(LEDGER.named, one.happened))
        assert set(one.kept) | set(one.happened) <= set(one.monitored)


LOOKED_FOR = {
    "ordered": {"exact", "exclusive", "given-back", "kept-so-long", "let-go", "local", "mixed"},
    "offsets": {
        *("back-at-most", "but-overtime", "finished", "from-an-offset", "hand-over", "reset-sent"),
        *("never-back", "not-skipped", "once", "one-batch", "only-uncommitted"),
        *("mixed", "reset-heard", "since-added", "since-asked", "since-pulled"),
    },
    "pulls": {
        *("dies", "has-request", "healed", "hits-own-entry", "lets-go"),
        *("one-request", "only-lost", "repairs-while-held", "rests"),
    },
    "settling": {"alone", "apart", "as-long", "settles", "waits", "woken"},
    "subscriptions": {
        *("accepted", "accepted-soon", "all-tags", "answered", "answered-later"),
        *("calm", "exactly", "first-pull", "never-answered", "own-tags", "posted", "restless"),
        *("answered-as-late", "as-long"),
    },
    "registry": {
        *("again", "agree", "anew", "at-once", "gone", "good-bye", "listed"),
        *("once", "once-again", "routed", "told", "told-late", "as-long", "route-as-long"),
    },
}


def test_every_claim_named_by_a_monitor_exists():
    """A renamed guarantee would be searched for in vain."""
    found: dict[str, set[str]] = {kind: set() for kind in LOOKED_FOR}
    for one in pinned().values():
        for claim in map(LEDGER.named, one.monitored):
            found[claim.kind].add(claim.guarantee.name)
    assert found == LOOKED_FOR
