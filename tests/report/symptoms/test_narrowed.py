"""Ranking of causes: cases with a known cause, and the declarations of each cause."""

import pytest

from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.brief import helps, tells
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.narrowed import FIRST, first_of, minor, ranked
from rebalance_proofs.report.symptoms.understood import Hint
from rebalance_proofs.report.symptoms.unmodelled import near
from tests.report.symptoms.cases import CASES, LAST, LATER, LATEST
from tests.report.symptoms.places import place_of


def test_known_cause_is_among_the_first_three_in_most_cases():
    """Of the 26 cases used to write the ranking all are among them, and 17 come first."""
    places = [place_of(case) for case in CASES]
    assert sum(place <= FIRST for place in places) >= 0.85 * len(places), dict(zip(CASES, places, strict=True))
    assert sum(place == 1 for place in places) >= 0.6 * len(places), dict(zip(CASES, places, strict=True))
    assert len(CASES) >= 20


def test_known_cause_is_among_the_first_three_in_some_later_cases():
    """Three of six: they were recorded after the ranking, which was not changed for them."""
    places = {case.source: place_of(case) for case in LATER}
    assert sum(place <= FIRST for place in places.values()) >= 3, places


def test_known_cause_is_among_the_first_three_in_most_latest_cases():
    """Five of six; four before permanent causes were also expected of a new group."""
    places = {case.source: place_of(case) for case in LATEST}
    assert sum(place <= FIRST for place in places.values()) >= 5, places


def test_known_cause_is_among_the_first_three_in_seven_of_the_last_ten():
    """They were not used for the ranking, which was not changed for them; four come first."""
    places = {case.source: place_of(case) for case in LAST}
    assert sum(place <= FIRST for place in places.values()) >= 7, places
    assert sum(place == 1 for place in places.values()) >= 4, places


def test_no_case_is_in_two_tables():
    sources = [case.source for case in (*CASES, *LATER, *LATEST, *LAST)]
    assert len({*sources}) == len(sources)


def test_permanent_causes_also_fit_a_new_group():
    every = ranked(found(Symptom.STUCK, Asked()), Facts(After.NEW))
    speaks = {one.found.cause.name for one in every if After.NEW.words in one.speaks}
    assert {one.found.cause.name for one in every if After.ALWAYS in one.found.cause.predicts.after} <= speaks
    assert "waits-for-living" not in speaks


def test_every_cause_predicts_something():
    assert all(cause.predicts.after and cause.predicts.reach for cause in CAUSES)


@pytest.mark.parametrize("symptom", Symptom)
def test_every_cause_has_checks_and_fixes(symptom):
    for one in found(symptom, Asked()):
        assert tells(one, ())
        assert helps(one)
        assert "nothing that is known" not in tells(one, ()) or one.cause.name in (
            "room-twice",
            "cannot-commit",
            "reset",
        )


@pytest.mark.parametrize("after", After)
def test_causes_of_the_reported_event_are_first(after):
    for symptom in Symptom:
        every = ranked(found(symptom, Asked()), Facts(after))
        follows = [after.words in one.speaks for one in every[:1]]
        if any(after in one.found.cause.predicts.after and not minor(one.found) for one in every):
            assert follows == [True]


def test_cause_of_one_minor_client_is_first_only_for_that_client():
    every = [one for symptom in Symptom for one in found(symptom, Asked())]
    for after in After:
        first = ranked(every, Facts(after))[0]
        assert not minor(first.found)
    assert any(minor(one.found) for one in ranked(every, Facts()))
    assert not any(minor(one) for one in found(Symptom.TWICE, Asked("go")))


def test_hinted_cause_comes_before_the_others_of_its_symptoms():
    every = found(Symptom.TWICE, Asked())
    plain = [one.found.cause.name for one in ranked(every, Facts())]
    assert plain[0] != "same-client-id"
    hint = Hint("same-client-id", sure=False, weight=3.0, symptoms=("twice",))
    assert ranked(every, Facts(), [hint])[0].found.cause.name == "same-client-id"
    other = Hint("same-client-id", sure=False, weight=3.0, symptoms=("lost",))
    assert [one.found.cause.name for one in ranked(every, Facts(), [other])] == plain


def test_first_causes_have_one_of_each_symptom():
    symptoms = (Symptom.LOST, Symptom.TWICE, Symptom.STUCK)
    every = ranked([one for symptom in symptoms for one in found(symptom, Asked())], Facts(After.DEPLOY))
    first = first_of(every, symptoms)
    assert {one.found.effect.symptom for one in first} == {*symptoms}
    assert [one.bits for one in first] == sorted(one.bits for one in first)


def test_one_of_several_events_is_enough_for_a_cause():
    every = found(Symptom.STUCK, Asked())
    first = ranked(every, Facts(After.DEPLOY, also=(After.CRASH,)))
    (gone,) = (one for one in first if one.found.cause.name == "host-vanished")
    assert not gone.against


def test_ranking_keeps_all_causes():
    for release in RELEASES[::7]:
        for mode in MODES[::3]:
            every = found(Symptom.STUCK, Asked(release, mode), 60_000)
            plain = {one.found.cause.name for one in ranked(every, Facts())}
            for facts in (Facts(After.CRASH, Reach.ONE, True, 60_000), Facts(over=False)):
                told = [one.found.cause.name for one in ranked(every, facts)]
                assert {*told} == plain
                assert len(told) == len(plain)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("stuk", "stuck"),
        ("same clientid", "same-client-id"),
        ("pop", ""),
        ("kafka", ""),
        ("heartbeats", "heartbeat-v2"),
        ("the client", "same-client-id"),  # one part of the name is enough
    ],
)
def test_unknown_word_suggests_names_by_meaning(words, meant):
    names = [*(one.value for one in Symptom), *(cause.name for cause in CAUSES)]
    assert near(words, names) == meant
