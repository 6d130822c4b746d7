"""Marks of claims about behaviour over time, from recordings."""

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.mark import MOST_FEW, Mark
from rebalance_proofs.report.conformance import How
from rebalance_proofs.report.groups_seen import groups_seen, recorded_releases
from rebalance_proofs.report.reality.told import Pinned, releases

LOCAL, TIME = "ordered.java_v5_2.local", "ordered.java_v5_2.exclusive.without-time"
EXACT = "ordered.java_v5_2.exact"
WHAT = "a queue's listener was called"


def recording(releases=("5.3.3",), **shown) -> Pinned:
    accepted = {"ordered": {"java_v5_2": {"5.3.3": 7}}, "pulls": {"java_v5_3_3": {"5.3.3": 5}}}
    none = {"accepted": accepted, "kept": {}, "happened": {}, "broken": {}, "monitored": ()}
    return Pinned(**{**none, "releases": releases, **shown})


def of(name, *recordings):
    return groups_seen(LEDGER.named(name), {f"r{place}": one for place, one in enumerate(recordings)})


def test_chances_of_contradiction_are_added_up():
    found = of(LOCAL, recording(kept={LOCAL: {WHAT: 3}}), recording(kept={LOCAL: {WHAT: 9}}), recording())
    assert (found.mark, found.how, found.events, found.releases) == (Mark.SEEN, How.KEPT, 21, ("5.3.3",))
    (one,) = found.shows
    assert (one.what, one.times, one.recordings) == (WHAT, 12, ("r0", "r1"))
    assert found.words == (
        "Observed: recorded groups of Java 5.3.3 never broke it: in none of 12 chances in 2 recordings did this "
        f"happen: {WHAT}. The model explains 21 events of these groups."
    )


def test_proved_claim_with_few_chances_has_their_number():
    for chances, mark in ((1, Mark.FEW), (MOST_FEW, Mark.FEW), (MOST_FEW + 1, Mark.SEEN)):
        found = of(LOCAL, recording(kept={LOCAL: {WHAT: chances}}))
        assert (found.mark, found.cases) == (mark, chances)
    assert of(LOCAL, recording(kept={LOCAL: {WHAT: 1}})).word == "observed in 1 case"
    assert of(LOCAL, recording(kept={LOCAL: {WHAT: 9}})).words.startswith("Observed in 9 cases: recorded groups")
    assert of(LOCAL, recording(kept={LOCAL: {WHAT: 10}})).word == "observed"


def test_refuted_claim_is_observed_by_a_single_event():
    assert of(TIME, recording(happened={TIME: {WHAT: 1}})).word == "observed"


def test_claim_about_two_clients_has_no_events_of_one_machine():
    """Each machine explains its own events; no recording was tried for both together."""
    pair = next(claim for claim in LEDGER if claim.kind == "offsets" and len(claim.subjects) == 2)
    own = {one.name: {"5.3.3": 7} for one in pair.subjects}
    every = tuple(dict.fromkeys(release for one in pair.subjects for release in releases(one)))
    found = groups_seen(pair, {"r": recording(every, accepted={"offsets": own})})
    assert (found.mark, found.events) == (Mark.MODEL, 0)


def test_refuted_claim_is_seen_by_its_event_and_not_by_chances():
    assert of(TIME, recording(happened={TIME: {WHAT: 1}})).how is How.HAPPENED
    assert of(TIME, recording(kept={TIME: {WHAT: 9}})).mark is Mark.ACCEPTED
    assert of(LOCAL, recording(happened={LOCAL: {WHAT: 9}})).mark is Mark.ACCEPTED


def test_possibility_claim_is_seen_when_it_happened():
    assert of(EXACT, recording(happened={EXACT: {WHAT: 2}})).how is How.HAPPENED
    assert of(EXACT, recording(kept={EXACT: {WHAT: 2}})).mark is Mark.ACCEPTED


def test_claim_contradicted_by_a_recording_is_not_seen():
    found = of(LOCAL, recording(kept={LOCAL: {WHAT: 3}}), recording(broken={LOCAL: {WHAT: 1}}))
    assert found.mark is Mark.ACCEPTED
    assert found.why == "a recording contradicts it, or its assumptions failed there"


@pytest.mark.parametrize(
    ("claim", "monitored", "why"),
    [
        (LOCAL, (LOCAL,), "no recording had a chance to contradict it"),
        (LOCAL, (), "no monitor checks for it"),
        (TIME, (TIME,), "it happened in no recording"),
        (EXACT, (EXACT,), "it happened in no recording"),
        (TIME, (), "no monitor checks for its circumstances"),
        (EXACT, (), "it says what can happen, which no recording contradicts"),
    ],
)
def test_unseen_claim_says_why(claim, monitored, why):
    found = of(claim, recording(monitored=monitored))
    assert (found.mark, found.how, found.why) == (Mark.ACCEPTED, How.ACCEPTED, why)
    assert found.words.endswith(f"of recorded groups of Java 5.3.3. Why it is not observed: {why}.")


def test_mark_is_transferred_only_from_seen_or_accepted_claims():
    found = of("pulls.java_v5_3_0.dies", recording())
    assert (found.mark, found.how, found.same_as, found.events) == (Mark.ALIKE, How.SAME, "pulls.java_v5_3_3.dies", 0)
    assert of("pulls.java_v5_3_0.dies", recording(accepted={})).mark is Mark.MODEL
    assert of("ordered.java_v5_0.local", recording()).mark is Mark.MODEL


def test_offsets_are_accepted_like_other_machines():
    accepted = {"offsets": {"java_v5": {"5.3.3": 4}}}
    assert of("offsets.java_v5.reset-sent", recording(accepted=accepted)).mark is Mark.ACCEPTED
    assert of("offsets.java_v5.reset-sent", recording()).mark is Mark.MODEL


def test_claim_without_recordings_is_model_only():
    found = groups_seen(LEDGER.named(LOCAL), {})
    assert (found.mark, found.words) == (
        Mark.MODEL,
        "Not recorded: no group of these releases was recorded.",
    )


def test_claim_about_two_clients_needs_recordings_of_both():
    mixed = LEDGER.named("offsets.java_v4_9+java_v5.mixed")
    assert recorded_releases(mixed, {"r": recording()}) == ()
    assert recorded_releases(mixed, {"r": recording(releases=("4.9.8", "5.3.3"))}) == ("4.9.8", "5.3.3")
    assert groups_seen(mixed, {"r": recording(releases=("4.9.8", "5.3.3"))}).mark is Mark.MODEL
