"""Causes about offsets exist for concurrent and for ordered consumers alike."""

import pytest

from rebalance_proofs.model.transition.client import ORDERLY, PUSH
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.symptoms.answer import Known, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.bugs import BUGS
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

REFUTED = {claim.id for claim in LEDGER if claim.kind == "offsets" and not claim.holds}
UNSEEN = {"hand-over", "but-overtime", "hand-over.without-turn", "back-at-most.without-steady"}
"""What is refuted of a bound alone: that it is not the bound shows as what it is about does."""
each_release = pytest.mark.parametrize("release", ["4.9.8", "5.1.4", "5.3.3"])
each_mode = pytest.mark.parametrize("mode", [PUSH.name, ORDERLY.name])


def known(symptom: Symptom, cause: str, release: str, mode: str) -> Known:
    return next(one.known for one in found(symptom, Asked(release, mode)) if one.cause.name == cause)


def test_every_refuted_claim_about_offsets_has_a_cause():
    named = {name for cause in CAUSES for effect in cause.effects for name in effect.refuted}
    left = {name for name in REFUTED - named if name.partition(".")[2].partition(".")[2] not in UNSEEN}
    assert left == set()


@each_release
@each_mode
def test_uncommitted_queue_skips_earlier_messages_with_any_listener(release, mode):
    assert known(Symptom.LOST, "nothing-committed", release, mode) is Known.SHOWN


@each_release
@each_mode
def test_late_commit_sets_the_offset_back_with_any_listener(release, mode):
    assert known(Symptom.BACK, "late-commit", release, mode) is Known.SHOWN
    assert known(Symptom.TWICE, "late-commit", release, mode) is Known.SHOWN


@each_release
@each_mode
def test_only_4_9_reads_an_error_as_none_with_any_listener(release, mode):
    wanted = Known.SHOWN if release.startswith("4.") else Known.EXCLUDED
    assert known(Symptom.LOST, "error-read-as-none", release, mode) is wanted


@pytest.mark.parametrize("symptom", [Symptom.BACK, Symptom.TWICE])
@each_release
def test_first_pull_without_offset_concerns_ordered_consumers_of_4_9(symptom, release):
    wanted = Known.SHOWN if release.startswith("4.") else Known.EXCLUDED
    assert known(symptom, "first-pull-from-nowhere", release, ORDERLY.name) is wanted
    assert known(symptom, "first-pull-from-nowhere", release, PUSH.name) is Known.OTHER_MODE


def test_bug_of_concurrent_consumers_is_listed_for_ordered_ones():
    """Where the same is claimed of both."""
    told = {one.claim for bug in BUGS for one in (*bug.present, *bug.absent)}
    of_both = [name for name in told if name.startswith(("offsets.java_v4_9.", "offsets.java_v5."))]
    ids = {claim.id for claim in LEDGER}
    for name in of_both:
        client, claim = name.split(".", 2)[1:]
        ordered = [f"offsets.{one}-orderly.{claim}" for one in ORDERED_OF[client]]
        assert {one for one in ordered if one in ids} <= told, name


ORDERED_OF = {"java_v4_9": ("java_v4_9",), "java_v5": ("java_v5_0", "java_v5_2")}
