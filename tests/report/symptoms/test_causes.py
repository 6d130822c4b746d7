"""Causes cite claims with the verdicts that they assume, and every cause can be found."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.receiving.releases import READ, releases
from rebalance_proofs.model.releases import OTHERS
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Known, found, modes_of
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked, asked
from rebalance_proofs.report.symptoms.bugs import BUGS
from rebalance_proofs.report.symptoms.cause import Basis, Cause, Sign, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, EVERY, SDK_CAUSES
from rebalance_proofs.report.symptoms.search import LINES, WITHOUT_CAUSE
from rebalance_proofs.report.symptoms.words import lasts
from tests.each import each

ANY_SDK = (*READ, *(f"{client} {version}".strip() for client, read in READ.items() for version in read))
EXPECTED = {claim.id: claim.expected for claim in LEDGER}
each_cause = each("cause", (*CAUSES, *SDK_CAUSES), ids=lambda cause: cause.name)


def misnamed(cause: Cause) -> list[str]:
    """Claims that are not there, or say something else."""
    refuted = [name for effect in cause.effects for name in effect.refuted]
    proved = [
        name
        for effect in cause.effects
        for name in (*effect.proved, *effect.shown, *effect.bounds, *effect.lasts.claims)
    ]
    proved += [name for one in cause.helps for name in one.claims]
    return [name for name in refuted if EXPECTED.get(name) is not Verdict.REFUTED] + [
        name for name in proved if EXPECTED.get(name) is not Verdict.PROVED
    ]


@each_cause
def test_cause_agrees_with_its_claims(cause):
    assert misnamed(cause) == []


def test_wrong_claim_of_a_cause_is_detected():
    cause = next(one for one in CAUSES if one.name == "error-read-as-none")
    (effect,) = cause.effects
    turned = replace(cause, effects=(replace(effect, refuted=effect.proved, proved=effect.refuted),))
    assert misnamed(turned) == [*effect.proved, *effect.refuted]
    gone = replace(cause, effects=(replace(effect, refuted=("offsets.java_v6.once",)),))
    assert misnamed(gone) == ["offsets.java_v6.once"]


@each_cause
def test_cause_has_claims_or_names_its_source(cause):
    known = {effect.claimed or bool(effect.lasts.way) for effect in cause.effects}
    assert len(known) == 1
    # A cause with claims can also be read in the source of clients that no claim covers.
    assert set(cause.read) <= set(OTHERS) if known == {True} else cause.read
    assert bool(cause.source) is bool(cause.read)
    assert cause.of_sdks or set(cause.read) <= set(RELEASES)
    assert all(releases(one) for one in cause.read if cause.of_sdks)
    assert set(cause.modes) <= set(MODES)


@each_cause
def test_unclaimed_effect_excludes_and_bounds_nothing(cause):
    for effect in cause.effects:
        if not effect.claimed:
            assert (effect.proved, effect.bounds, effect.lasts.claims) == ((), (), ())


@each_cause
def test_printed_number_names_its_basis(cause):
    for effect in cause.effects:
        lasts = effect.lasts
        assert (lasts.basis in (Basis.PROVED, Basis.PARTLY)) is bool(lasts.claims)
        assert (lasts.basis is Basis.PARTLY) is bool(lasts.then)
        assert 0 <= lasts.then <= (lasts.most or 0)
        assert (lasts.basis is Basis.EXPLORED) is bool(lasts.way)
        assert lasts.most is None or not lasts.event


@each_cause
def test_sentences_need_no_escaping_in_markdown(cause):
    told = [cause.sentence.en, *(look.words.en for look in cause.looks), *(one.words.en for one in cause.helps)]
    told += [effect.lasts.words.en for effect in cause.effects]
    assert not [text for text in told if set(text) & set("|<*[\\")]
    assert cause.sentence.en.endswith(".")


@each_cause
def test_headline_is_the_first_sentence(cause):
    assert cause.sentence.en.startswith(cause.headline.en)
    assert cause.headline.en.endswith(".")
    assert len(cause.headline.en.split()) <= 25
    assert not cause.headline.en.startswith(("It ", "This ", "They "))


def test_each_name_is_used_once():
    names = [cause.name for cause in (*CAUSES, *SDK_CAUSES)]
    assert len(set(names)) == len(names)
    assert not set(names) & {symptom.value for symptom in Symptom}
    assert all(len({effect.symptom for effect in cause.effects}) == len(cause.effects) for cause in CAUSES)


@pytest.mark.parametrize("symptom", Symptom)
def test_every_cause_is_listed_without_a_client(symptom):
    told = found(symptom, Asked())
    assert {one.cause.name for one in told} == {cause.name for cause in CAUSES if cause.effect(symptom)}
    assert all(one.possible for one in told)


@each_cause
def test_every_effect_is_possible_in_some_client_and_mode(cause):
    for effect in cause.effects:
        modes = modes_of(cause, effect)
        assert modes, effect.symptom
        known = ANY_SDK if cause.of_sdks else RELEASES
        possible = {
            release
            for release in (*cause.read, *known)
            for one in found(effect.symptom, Asked(release, modes[0]))
            if one.cause is cause and one.possible
        }
        assert possible, effect.symptom


def test_every_line_and_every_sign_has_a_cause():
    with_cause = {name for name, line in LINES.items() if any(line in cause.lines for cause in EVERY)}
    assert {name for name, line in LINES.items() if name not in with_cause and line.like not in with_cause} == set()
    assert not any(line in cause.lines for line in WITHOUT_CAUSE.values() for cause in EVERY)
    assert {sign for sign in Sign if not any(sign in cause.signs for cause in CAUSES)} == set()


def test_every_named_issue_is_a_known_bug():
    known = {bug.called for bug in BUGS if bug.issue}
    assert {issue for cause in CAUSES for issue in cause.issues} <= known


@pytest.mark.parametrize(
    ("name", "symptom", "mode", "first", "last"),
    [
        ("error-read-as-none", Symptom.LOST, "push", "4.9.0", "4.9.8"),
        ("forced-unlock", Symptom.TWICE, "push orderly", "5.2.0", "5.5.0"),
        ("delayed-unlock", Symptom.TWICE, "push orderly", "4.9.5", "5.1.4"),
        ("pull-thread-ended", Symptom.STUCK, "push", "4.9.0", "5.3.2"),
        ("suspended", Symptom.STUCK, "push orderly", "4.9.0", "5.5.0"),
        ("static-topic", Symptom.STUCK, "push orderly", "5.0.0", "5.4.0"),
        ("unsubscribed-lock", Symptom.STUCK, "push orderly", "4.9.8", "5.5.0"),
        ("not-locked-yet", Symptom.STUCK, "push orderly", "4.9.0", "4.9.4"),
        ("broadcasting-takes-locks", Symptom.STUCK, "push orderly broadcasting", "4.9.5", "5.3.1"),
    ],
)
def test_possible_causes_follow_the_claims(name, symptom, mode, first, last):
    java = [release for release in RELEASES if release[0].isdigit()]
    shown = [
        release
        for release in java
        for one in found(symptom, Asked(release, mode))
        if one.cause.name == name and one.known is Known.SHOWN
    ]
    assert shown == java[java.index(first) : java.index(last) + 1]


def test_excluded_and_unclaimed_causes_are_distinguished():
    def known(name: str, symptom: Symptom, release: str, mode: str) -> Known:
        (one,) = (one for one in found(symptom, Asked(release, mode)) if one.cause.name == name)
        return one.known

    assert known("error-read-as-none", Symptom.LOST, "5.3.3", "push") is Known.EXCLUDED
    assert known("error-read-as-none", Symptom.LOST, "node", "push") is Known.OTHERS
    assert known("error-read-as-none", Symptom.LOST, "4.9.8", "lite pull") is Known.OTHER_MODE
    assert known("failure-read-as-none", Symptom.LOST, "node", "push") is Known.SHOWN
    assert known("failure-read-as-none", Symptom.LOST, "5.3.3", "push") is Known.OTHERS
    assert known("goes-on-after-it-was-taken", Symptom.TWICE, "5.3.3", "push") is Known.OTHERS
    assert known("dropped-entry", Symptom.STUCK, "5.3.3", "push") is Known.EXCLUDED
    assert known("dropped-entry", Symptom.STUCK, "5.3.3", "push orderly") is Known.SHOWN
    # Claimed of 4.9.8, with which 4.9.5 to 4.9.7 are proved to do the same.
    assert known("dropped-entry", Symptom.STUCK, "4.9.6", "push orderly") is Known.SHOWN
    # Claimed of 5.2 to 5.4.0, and 5.5.0 is proved to do the same.
    assert known("dropped-entry", Symptom.STUCK, "5.5.0", "push orderly") is Known.SHOWN
    # Fixed in 5.5.0, and new in 5.5.0.
    assert known("static-topic", Symptom.STUCK, "5.5.0", "push orderly") is Known.EXCLUDED
    assert known("no-readable-queue", Symptom.STUCK, "5.5.0", "lite pull") is Known.READ
    assert known("no-readable-queue", Symptom.STUCK, "5.5.0", "push") is Known.OTHER_MODE
    assert known("no-readable-queue", Symptom.STUCK, "5.4.0", "lite pull") is Known.NOT_READ


@pytest.mark.parametrize(
    ("release", "read"),
    [("4.9.7", False), ("4.9.8", True), ("5.0.0", True), ("5.3.2", True), ("5.3.3", True), ("node", False), ("", True)],
)
def test_cause_read_in_an_older_and_a_newer_release_was_read(release, read):
    (one,) = (one for one in found(Symptom.TWICE, Asked(release, "push")) if one.cause.name == "strategy-throws")
    assert one.cause.read == ("4.9.8", "5.3.3", "5.5.0")
    assert one.known is (Known.READ if read else Known.NOT_READ)


def test_cause_shorter_than_the_observed_time_is_last():
    told = found(Symptom.STUCK, Asked("5.3.3", "push orderly"), 150_000)
    short = [one.too_short for one in told]
    assert short == sorted(short)
    assert 0 < sum(short) < len(short)
    assert all(one.most < 150_000 or one.effect.lasts.event for one in told if one.too_short)
    by_name = {one.cause.name: one for one in told}
    assert by_name["waits-for-crashed"].too_short
    assert by_name["dropped-entry"].too_short
    assert not by_name["not-subscribed"].too_short
    as_long = {one.cause.name: one for one in found(Symptom.STUCK, Asked("5.3.3", "push orderly"), 140_000)}
    assert as_long["waits-for-crashed"].most == 140_000
    assert as_long["waits-for-crashed"].alone == 70_000
    assert not as_long["waits-for-crashed"].too_short


def test_causes_without_a_failure_are_first():
    told = [one.cause.name for one in found(Symptom.TWICE, Asked("4.9.8", "push"))]
    assert told[0] == "hand-over"
    assert told.index("same-client-id") < told.index("registries-differ")


def test_explored_numbers_are_those_of_the_clients():
    every = {one.cause.name: one.most for one in found(Symptom.STUCK, Asked())}
    for client in CLIENTS:
        release = client.generations[0].releases[0]
        for one in found(Symptom.STUCK, Asked(release, "push orderly")):
            if one.effect.lasts.way:
                assert 0 < one.most <= every[one.cause.name]
    assert all(one.most is None for one in found(Symptom.STUCK, Asked("node")) if one.effect.lasts.way)


@pytest.mark.parametrize(
    ("cause", "symptom", "client"),
    [
        ("hand-over", "twice", "cpp"),
        ("hand-over", "twice", "rust"),
        ("go-unfinished-at-restart", "twice", "go"),
        ("nothing-committed", "lost", "go"),
        ("tags-differ", "lost", "node"),
        ("subscriptions-overwritten", "stuck", "cpp"),
        ("host-vanished", "stuck", "rust"),
    ],
)
def test_causes_at_the_broker_are_possible_for_every_client(cause, symptom, client):
    one = next(one for one in found(Symptom(symptom), asked(client)) if one.cause.name == cause)
    assert (one.known, one.most) == (Known.READ, None)


def test_bound_proved_for_other_clients_is_not_printed():
    one = next(one for one in found(Symptom.STUCK, asked("rust")) if one.cause.name == "host-vanished")
    assert "No bound is known: only other clients were examined" in lasts(one)
    java = next(one for one in found(Symptom.STUCK, asked("5.3.3")) if one.cause.name == "host-vanished")
    assert "lasts at most 156 s" in lasts(java)
