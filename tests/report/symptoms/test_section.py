"""Symptoms on the report page: their causes, what is known of each, and their claims."""

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Known, found
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, Part, roles
from rebalance_proofs.report.symptoms.section import anchor, claims_of, known_of, sections


def test_full_run_has_every_cause():
    whole = sections({claim.id for claim in LEDGER})
    assert [section.symptom for section in whole] == list(Symptom)
    told = [anchor(one.cause, one.effect) for section in whole for _, group in section.groups for one in group]
    assert len(told) == len(set(told)) == sum(len(cause.effects) for cause in CAUSES)
    assert all(not section.left_out for section in whole)


def test_partial_run_has_the_causes_of_its_claims():
    judged = {"ordered.java_v5_2.exclusive.without-time"}
    told = sections(judged)
    causes = [one for section in told for _, group in section.groups for one in group]
    assert causes
    assert all(judged & set(claims_of(one.cause, one.effect)) for one in causes)
    for section in told:
        every = sum(cause.effect(section.symptom) is not None for cause in CAUSES)
        assert section.causes + section.left_out == every
    assert sections({"allocation.avg.nothing-like-it"}) == ()


def test_each_question_has_one_digit():
    for cause in (CAUSES[0], CAUSES[-1]):
        effect = cause.effects[0]
        digits = known_of(cause, effect)
        assert len(digits) == (len(RELEASES) + 1) * (len(MODES) + 1)
        for release, mode in (("", ""), (RELEASES[0], ""), ("go", MODES[1]), (RELEASES[-1], MODES[-1])):
            row = ("", *RELEASES).index(release)
            place = row * (len(MODES) + 1) + ("", *MODES).index(mode)
            (one,) = (one for one in found(effect.symptom, Asked(release, mode)) if one.cause is cause)
            assert tuple(Known)[int(digits[place])] is one.known


def test_claims_of_a_cause_name_that_cause():
    told = {claim.id: roles(claim.id) for claim in LEDGER}
    for cause in CAUSES:
        for effect in cause.effects:
            for name in (*effect.refuted, *effect.shown):
                assert (Part.SHOWS, cause, effect) in [(role.part, role.cause, role.effect) for role in told[name]]
        for one in cause.helps:
            for name in one.claims:
                assert (Part.HELPS, cause, (one.words,)) in [(r.part, r.cause, r.helps) for r in told[name]]
    for name, own in told.items():
        assert all(name in claims_of(role.cause, role.effect) for role in own)
        assert [role.part for role in own] == sorted((role.part for role in own), key=list(Part).index)
    assert roles("nothing.like.it") == ()
