"""Remedies and log lines in the words of the client in the question."""

import pytest

from rebalance_proofs.recorded.logs.lines import Logs
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked, by_id, covers
from rebalance_proofs.report.symptoms.cause import Help
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.causes.of_clients import (
    EACH,
    PULLING,
    first_pulls,
    in_order,
    of_node,
    offsets,
    ordered,
    pulls,
    registry,
    settling,
    subscriptions,
    transition,
)
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.words import helps, line, readable
from tests.each import each

HELPS = {one.words: one for cause in CAUSES for one in cause.helps}
QUESTIONS = [Asked(), *(Asked(release) for release in RELEASES), *(Asked("", mode) for mode in MODES)]


@each("question", QUESTIONS, ids=lambda one: one.label or "any")
def test_remedy_has_the_claims_about_the_client_or_says_that_there_are_none(question):
    for one in HELPS.values():
        if not one.suits(question.release):
            assert not [*helps([one], question)]
            continue
        (told,) = helps([one], question)
        mine = [name for name in one.claims if covers(by_id(name), question)]
        assert [name for name in one.claims if name in told] == mine
        assert told.endswith(" (proved for other clients)") is bool(one.claims and not mine and question.release)
        assert told == one.words or told.startswith(f"{one.words} (")
        assert (told == one.words) is (not mine and not (one.claims and question.release))


def test_remedy_without_claims_is_printed_unchanged():
    assert [*helps([Help("Restart it."), Help("Wait.")], Asked("5.3.3"))] == ["Restart it.", "Wait."]


@each("question", [Asked(), *(Asked(release) for release in RELEASES)], ids=lambda one: one.label or "any")
def test_client_line_has_one_wording_and_broker_line_has_all(question):
    for one in LINES.values():
        told = line(one, question)
        wordings = one.of(question.release) if one.logs is Logs.CLIENT else one.wordings
        for wording in one.wordings:
            assert (f'"{wording.text}"' in told) is (wording.text in [each.text for each in wordings])
        assert told.startswith(one.place)
        assert told.endswith(one.means)
        assert readable(one, question) is (
            one.logs is Logs.BROKER or not question.release or question.release[0].isdigit()
        )


@pytest.mark.parametrize(
    ("made", "known"),
    [
        (transition("kept.push"), 3),
        (transition("kept.push", "4_9"), 1),
        (ordered("exclusive"), 4),
        (ordered("exclusive", "go"), 1),
        (offsets("once"), 2),
        (offsets("once", "5"), 1),
        (of_node("once"), 1),
        (settling("settles"), 2),
        (subscriptions("calm", "exactly"), 2),
        (subscriptions("accepted", v2=True), 1),
        (first_pulls("first-pull"), 1),
        (first_pulls("first-pull", later=False), 1),
        (registry("gone", "listed"), 2),
        (pulls("has-request"), 5),
        (pulls("has-request", "5_2_0"), 1),
        (in_order("one-batch"), 3),
    ],
)
def test_claim_is_named_once_for_each_client_of_it(made, known):
    """Each once, and none that is not in the ledger."""
    assert len({*made}) == len(made) == known
    assert all(by_id(name).id == name for name in made)


def test_every_client_with_the_same_claim_is_included():
    of = {claim.id.split(".")[1] for claim in map(by_id, pulls("has-request"))}
    assert of == {f"java_v{one}" for one in PULLING}
    assert {claim.id.split(".")[1] for claim in map(by_id, in_order("one-batch"))} == {
        f"java_v{one}-orderly" for one in EACH
    }
