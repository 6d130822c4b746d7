"""The to-do list of ``rebalance list``: short imperative fixes, the worst symptom first."""

import re

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.subjects import suited
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import SETTING, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, roles
from rebalance_proofs.report.symptoms.todo import MOST, SYMPTOMS, WORST, fixes, todo
from rebalance_proofs.report.symptoms.words import helps
from tests.each import each

HELPS = {one.words: one for cause in CAUSES for one in cause.helps}
VERBS = re.compile(
    r"(Add|Allow|Avoid|Call|Change|Check|Compare|Configure|Copy|Create|Delete|Do|Find|Fix|Give|Leave|"
    r"Let|Limit|List|Log|Lower|Make|Measure|Pass|Put|Raise|Register|Remove|Reset|Restart|Restore|"
    r"Retry|Return|Run|Send|Set|Shorten|Shut|Start|Stop|Subscribe|Turn|Upgrade|Use|Wait)\b"
)
"""First words of fixes."""


@each("one", HELPS.values(), ids=lambda one: one.words.en[:40])
def test_short_form_of_a_fix_is_one_imperative_sentence(one):
    assert VERBS.match(one.brief.en)
    assert len(one.brief.en.split()) <= 25
    assert one.brief.en.endswith(".")
    assert not re.search(r"[.!?] [A-Z]", one.brief.en)
    assert one.brief != one.words or not one.short


@pytest.mark.parametrize("release", ["", *RELEASES])
def test_fixes_are_few_and_name_a_setting_a_method_or_a_command(release):
    for mode in ("", *MODES):
        chosen = fixes(Asked(release, mode), entries())
        assert len(chosen) <= MOST
        assert len({fix.help.brief for fix in chosen}) == len(chosen)
        for fix in chosen:
            brief = fix.help.brief.en
            assert SETTING.search(brief) or brief.startswith("Make the listener idempotent"), brief


@pytest.mark.parametrize("release", ["", *RELEASES])
def test_worst_symptoms_come_first(release):
    worst = [fix.order[0] for fix in fixes(Asked(release, ""), entries())]
    assert worst == sorted(worst)


@pytest.mark.parametrize("release", ["node", "cpp", "rust"])
def test_clients_without_suspend_are_not_told_to_call_it(release):
    for mode in ("", *MODES):
        assert not [fix for fix in fixes(Asked(release, mode), entries()) if "suspend()" in fix.help.brief.en]
    for symptom in Symptom:
        for one in found(symptom, Asked(release)):
            assert not [words for words in helps(one.cause.helps, one.question) if re.search("[cC]all suspend", words)]


def test_every_fix_with_suspend_names_its_clients():
    assert all(one.clients for cause in CAUSES for one in cause.helps if re.search("[cC]all suspend", one.words.en))


def test_fixes_of_a_claim_suit_its_client():
    suits = {
        claim.id: [one.brief.en for role in roles(claim.id) for one in suited(claim, role.cause.helps)]
        for claim in LEDGER
        if claim.id in ("transition.java_v5_2.unsubscribed-lock.push-orderly", "offsets.node.once")
    }
    assert suits["transition.java_v5_2.unsubscribed-lock.push-orderly"] == []
    assert suits["offsets.node.once"] == ["Make the listener idempotent."]


def test_every_symptom_has_a_noun_and_a_rank():
    assert {*SYMPTOMS} == {*WORST}


def test_symptoms_with_the_same_causes_are_joined():
    lines = [*todo(fixes(Asked("go"), entries()))]
    assert "   Against redelivered messages and stalled consumption (routes-differ)." in lines


def test_fixes_are_limited_to_causes_that_the_claims_show():
    (fix, *others) = fixes(Asked("5.2.0", "push"), {"offsets.java_v5.once"})
    assert {one.cause.name for one in fix.against} == {"hand-over"}
    assert not others
    assert [*todo(fixes(Asked("5.2.0", "push"), ()))] == []
