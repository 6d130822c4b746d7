"""Fixes that help against one symptom of their cause only."""

from rebalance_proofs.language import Text
from rebalance_proofs.report.symptoms.answer import causes_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import helps
from rebalance_proofs.report.symptoms.cause import Help, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from tests.each import each


def test_fix_serves_only_its_symptoms():
    one = Help(Text("Set it."), symptoms=(Symptom.LOST,))
    assert one.serves(Symptom.LOST)
    assert not one.serves(Symptom.TWICE)
    assert Help(Text("Set it.")).serves(Symptom.TWICE)


def test_replica_behind_does_not_read_everything_again_to_avoid_redelivery():
    found = {one.effect.symptom: one for one in causes_of([_cause("replica-behind")], Asked())}
    assert "CONSUME_FROM_FIRST_OFFSET" in helps(found[Symptom.LOST])
    assert all("CONSUME_FROM_FIRST" not in fix.words.en for fix in found[Symptom.TWICE].helps)


@each("cause", [one for one in CAUSES if one.helps], ids=lambda one: one.name)
def test_each_symptom_of_a_cause_with_fixes_has_one(cause):
    for effect in cause.effects:
        assert any(one.serves(effect.symptom) for one in cause.helps), effect.symptom


def test_symptoms_of_a_fix_are_the_causes_own():
    for cause in CAUSES:
        own = {effect.symptom for effect in cause.effects}
        assert all(own.issuperset(one.symptoms) for one in cause.helps), cause.name


def _cause(name):
    return next(one for one in CAUSES if one.name == name)
