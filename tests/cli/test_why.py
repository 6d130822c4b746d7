"""``rebalance why``, for operators of a misbehaving group."""

import json

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import schema
from tests.report.symptoms.printed import Consumer, Entry, Row, member, progress, status

IDS = {claim.id for claim in LEDGER}


def test_without_a_symptom_the_symptoms_are_listed(call):
    called = call("why")
    assert called.status == 0
    assert [line.split()[0] for line in called.out.splitlines()[:5]] == [one.value for one in Symptom]


@pytest.mark.parametrize("symptom", [one.value for one in Symptom])
def test_every_symptom_has_causes(call, symptom):
    called = call("why", symptom, "--client", "4.9.8")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == f"{Symptom(symptom).question} (Java 4.9.8)"
    assert any(line.startswith("1. ") for line in lines)


def test_what_is_proved_not_to_be_is_told_apart_with_its_claim(call):
    told = call("why", "lost", "--client", "5.3.3", "--mode", "push").out
    causes, _, excluded = told.partition("Proved that it cannot be (Java 5.3.3, push):")
    assert "error-read-as-none" not in causes
    assert "PROVED, model only: offsets.java_v5.not-skipped.without-answers" in excluded
    before = call("why", "lost", "--client", "4.9.8", "--mode", "push").out
    assert "REFUTED, model only: offsets.java_v4_9.not-skipped.without-answers" in before
    assert "rocketmq#2944" in before


def test_what_is_not_claimed_is_marked(call):
    told = call("why", "stuck", "--client", "5.3.3", "--mode", "push").out
    assert ". strategy-throws: NOT CLAIMED. A strategy throws" in told
    assert "Known: not claimed: read in the source of Java 4.9.8 and Java 5.3.3 (RebalanceImpl" in told
    assert "(known from the source, not claimed)" in told


def test_what_a_broker_lists_is_claimed(call):
    told = call("why", "stuck", "--client", "5.3.3", "--mode", "push").out
    assert ". host-vanished: A consumer's host" in told
    assert "REFUTED, model only: registry.java_v4_9_to_v5_3.at-once.without-close" in told
    assert "Lasts at most 156 s, until the scan" in told
    assert "all groups: 26 s where that takes 3 s) (a proved bound, model only)" in told


def test_numbers_say_what_they_are(call):
    told = call("why", "stuck", "--client", "5.2", "--mode", "push orderly").out
    assert "Lasts at most 130 s, until the pull of the old entry has expired" in told
    assert "(explored, in steps of ten seconds from when its new owner knows of it, not proved, model only)" in told
    assert "(a proved bound, and what comes then is known from the source, model only)" in told
    assert ". waits-for-shut-down: NOT CLAIMED. " in told
    assert "Known: not claimed: explored." in told


def test_what_is_over_sooner_is_told_last_and_why(call):
    told = call("why", "stuck", "--client", "5.2", "--mode", "push orderly", "--for", "2m").out
    first, _, last = told.partition("Told last, because you see it for 120 s:")
    assert ". dropped-entry: " in first
    assert "- waits-for-crashed (real clients: model only): " in last
    assert "Last, because it lasts at most 70 s (explored, " in last
    assert "waits-for-crashed" in call("why", "stuck", "--client", "5.2", "--for", "10s").out.partition("Told last")[0]


def test_what_is_logged_of_locks_is_in_a_file_of_its_own(call):
    told = call("why", "message queue has been locked by other client").out
    assert told.startswith("Log of the broker (lock.log), RebalanceLockManager: ")
    (line, *_) = json.loads(call("why", "locked by other client", "--json").out)["lines"]
    assert (line["log"], line["file"]) == ("broker", "lock.log")


def test_a_suspended_consumer_is_a_cause(call):
    for mode in ("push", "push orderly"):
        told = call("why", "stuck", "--client", "5.3.3", "--mode", mode).out
        assert ". suspended: A member is suspended" in told
        assert "REFUTED, model only: pulls.java_v5_3_3.lets-go.without-running" in told
    assert "- suspended (stuck" in call("why", "consumer was paused, execute pull request later.").out
    assert ". suspended-with-old-queues: " in call("why", "back", "--client", "4.9.8", "--mode", "push").out
    assert "suspended-with-old-queues" not in call("why", "back", "--mode", "push orderly").out.partition("About")[0]


def test_a_line_of_a_log_is_a_symptom(call):
    told = call("why", "Subscription NOT exist").out
    assert told.startswith(
        "Log of the broker (broker.log), PullMessageProcessor: \"the consumer's subscription not exist, group: {}"
    )
    assert "- not-subscribed (stuck; real clients: seen): " in told
    assert (
        "- subscriptions-overwritten (stuck; real clients: model only): Members subscribe to different topics" in told
    )


def test_a_cause_is_told_by_its_name(call):
    told = call("why", "dropped-entry").out
    assert told.startswith("stuck: Why does nothing move?\ndropped-entry: ")
    assert "transition.java_v5_2.returns.push-orderly-as-shipped" in told
    other = call("why", "dropped-entry", "--client", "5.3.3", "--mode", "push").out
    assert "Java 5.3.3, push: it is proved that it cannot be." in other


def test_a_file_tells_what_is_seen_what_fits_and_what_it_does_not_tell(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert "Seen: a queue without a client.\n  T broker-a 1: no client\n" in told
    assert "  - not-subscribed (stuck, fits 1 of 1; real clients: seen): " in told
    assert "What this does not tell:" in told
    path.write_text(member(Consumer((Entry(0, dropped=True),), orderly=True)), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert told.startswith("By what is in it: Java 5.3.3, push orderly.")
    assert "  - dropped-entry (stuck, fits 1 of 1; real clients: seen): " in told


def test_a_file_of_a_group_that_is_well_says_so(call, tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")]), encoding="utf-8")
    called = call("why", "--file", str(path))
    assert called.status == 0
    assert "Nothing in it points to a cause that is known." in called.out


def test_with_a_symptom_a_file_tells_of_that_alone(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    document = json.loads(call("why", "twice", "--file", str(path), "--json").out)
    assert {cause["symptom"] for cause in document["causes"]} == {"twice"}


ASKED = (
    (),
    ("twice",),
    ("stuck", "--client", "5.3.3", "--mode", "push orderly", "--for", "1h"),
    ("lost", "--client", "node"),
    ("less than store",),
    ("dropped-entry",),
)


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_json_is_as_its_schema_says(call, arguments):
    Draft202012Validator.check_schema(schema())
    document = json.loads(call("why", *arguments, "--json").out)
    Draft202012Validator(schema()).validate(document)
    named = {
        name for one in document["causes"] for key in ("shown_by", "excluded_by", "bounded_by") for name in one[key]
    }
    assert named <= IDS
    assert {one["name"] for one in document["causes"]} <= {cause.name for cause in CAUSES}


def test_json_of_a_file_is_as_its_schema_says(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    document = json.loads(call("why", "--file", str(path), "--json").out)
    Draft202012Validator(schema()).validate(document)
    (sign,) = document["signs"]
    assert sign["sign"] == "unowned"
    assert set(sign["causes"]) == {one["name"] for one in document["causes"]}
    assert document["untold"]


def test_json_has_a_version_and_what_was_asked_for(call):
    document = json.loads(call("why", "twice", "--client", "v4.9.8", "--mode", "Push", "--for", "2m", "--json").out)
    assert document["format"] == 1
    assert document["asked"] == {"about": "twice", "client": "4.9.8", "mode": "push", "for": 120_000}
    last = [one["told_last"] for one in document["causes"]]
    assert last == sorted(last)
    assert any(last)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("stuk",),
            "unknown symptom 'stuk', and no known line of a log has it; the nearest is 'stuck'; there are twice,",
        ),
        (("qwertz",), "there are twice, lost, stuck, back, tilted"),
        (("mq",), "unknown symptom 'mq'"),
        (("twice", "--client", "5.4"), "'5.4' is newer than 5.3.3, the last version that was read"),
        (("twice", "--client", "kafka"), "unknown client 'kafka'; there are 4.9.0"),
        (("twice", "--mode", "pusch"), "unknown mode 'pusch'; the nearest is 'push'; there are 'push', 'push orderly'"),
        (("twice", "--for", "2"), "'2' has no unit; write 2s or 2ms"),
        (("twice", "--for", "0s"), "--for is 0: say for how long you have seen it, as in --for 2m"),
        (("twice", "--client", ""), "'' is no name; leave the option out where none is meant"),
        (("twice", "--mode", " "), "' ' is no name; leave the option out where none is meant"),
        (("twice", "--for", "9000h"), "'9000h' is more than 168 hours"),
        (("--for", "2m"), "name a symptom: twice, lost, stuck, back, tilted"),
        (("--client", "5.2"), "name a symptom: twice, lost, stuck, back, tilted"),
        (("--file", "/none/such"), "'/none/such': No such file or directory"),
        (("less than store", "--file", "/none/such"), "with a file, name a symptom or nothing"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(call, arguments, said):
    called = call("why", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


def test_a_broken_file_is_told_in_a_sentence(call, tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(member(Consumer()).replace("ProcessQueueInfo [", "ProcessQueueInfo ("), encoding="utf-8")
    called = call("why", "--file", str(path))
    assert (called.status, called.out) == (2, "")
    assert "no queue of consumerStatus" in called.complaint


def test_a_line_of_a_log_is_quoted_once(call):
    told = call("why", "twice", "--client", "4.9.8", "--mode", "push").out
    assert told.count('"rebalanced result changed. ') == 1
    assert told.count("Log of the client, as under ") > 3


def test_of_other_clients_no_line_of_javas_is_told(call):
    told = call("why", "tilted", "--client", "go").out
    assert "rebalanced result changed" not in told
    assert "Lines of the client's log are left out: only those of Java's client were read." in told
    document = json.loads(call("why", "twice", "--client", "go", "--json").out)
    assert {line["log"] for cause in document["causes"] for line in cause["lines"]} == {"broker"}


def test_what_was_explored_of_a_client_that_is_not_claimed_is_marked(call):
    told = call("why", "stuck", "--client", "go", "--mode", "push orderly").out
    assert ". unlock-lost: NOT CLAIMED. " in told
    assert "Lasts at most 120 s, " in told
    assert "Known: not claimed: explored." in told
