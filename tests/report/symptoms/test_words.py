"""Remedies and log lines in the words of the client in the question."""

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.logs.lines import Logs
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked, by_id, covers
from rebalance_proofs.report.symptoms.cause import Help
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.words import MOST_FORMS, helps, line, logged, unread
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
        assert told == one.words.en or told.startswith(f"{one.words} (")
        assert (told == one.words.en) is (not mine and not (one.claims and question.release))


def test_remedy_without_claims_is_printed_unchanged():
    assert [*helps([Help(Text("Restart it.")), Help(Text("Wait."))], Asked("5.3.3"))] == ["Restart it.", "Wait."]


@each("question", [Asked(), *(Asked(release) for release in RELEASES)], ids=lambda one: one.label or "any")
def test_client_line_has_one_wording_and_broker_line_has_all(question):
    for one in LINES.values():
        told = line(one, question)
        wordings = one.of(question.release) if one.logs is Logs.CLIENT else one.wordings
        if not wordings:
            continue
        for wording in one.wordings:
            assert (f'"{wording.text}"' in told) is (wording.text in [each.text for each in wordings[:MOST_FORMS]])
        assert ("similar form" in told) is (len(wordings) > MOST_FORMS)
        assert told.startswith(one.place)
        assert told.endswith(one.means.en)


@each("question", [Asked(), *(Asked(release) for release in RELEASES)], ids=lambda one: one.label or "any")
def test_cause_has_only_lines_that_the_client_or_a_broker_writes(question):
    client = "java" if question.release[:1].isdigit() else question.release
    for cause in CAUSES:
        for one in logged(cause, question):
            assert one.logs is Logs.BROKER or client in {"", *(own for each in one.wordings for own in each.clients)}
    assert unread(question) is (client == "rust")


def test_cause_has_the_lines_of_other_clients_that_mean_the_same():
    (cause,) = [one for one in CAUSES if one.name == "waits-for-crashed"]
    assert LINES["lock-denied"] in logged(cause, Asked("5.3.3"))
    assert LINES["go-lock-denied"] not in logged(cause, Asked("5.3.3"))
    assert LINES["go-lock-denied"] in logged(cause, Asked("go"))
    assert LINES["lock-denied"] not in logged(cause, Asked("go"))
