"""``rebalance why``, for operators of a misbehaving group."""

import importlib
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from rebalance_proofs import language
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded import pipes
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.symptoms import answer
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, Symptom, Unusual
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import schema
from rebalance_proofs.report.symptoms.words import CAVEAT
from tests.report.symptoms.phrasings import PUBLIC_CAUSES
from tests.report.symptoms.printed import Consumer, Entry, Row, member, progress, status

why = importlib.import_module("rebalance_proofs.cli.why")
IDS = {claim.id for claim in LEDGER}


def test_why_without_a_symptom_lists_the_symptoms(call):
    called = call("why")
    assert called.status == 0
    assert [line.split()[0] for line in called.out.splitlines()[: len(Symptom)]] == [one.value for one in Symptom]


@pytest.mark.parametrize("symptom", [one.value for one in Symptom])
def test_every_symptom_has_causes(call, symptom):
    called = call("why", symptom, "--client", "4.9.8")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == f"{Symptom(symptom).question} (Java 4.9.8)"
    assert any(line.startswith("1. ") for line in lines)


def test_brief_answer_has_at_most_three_causes_with_check_and_fix(call):
    called = call("why", "twice", "--after", "deploy", "--client", "4.9.8", "--mode", "push", "--for", "2m", "--over")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == "Why are messages redelivered? (Java 4.9.8, push; after a deploy; over)"
    assert next(line for line in lines if line[:1].isdigit()).startswith("1. hand-over: ")
    for head in ("   Confirm: ", "   Fix: "):
        assert len([line for line in lines if line.startswith(head)]) == 3
    assert len([line for line in lines if line]) <= 12
    assert "4. " not in called.out
    assert "rebalance why twice --all" in called.out
    assert call("why", "twice", "--all").out.count("\n4. ") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("duplicate", "Understood: duplicates.\n"),
        (
            "one queue stands still after a crash",
            "Understood: stalled consumption, after a consumer crashed, one queue.\n",
        ),
        ("offset went back", "Understood: offset rollback.\n"),
        ("messages lost since the deploy", "Understood: lost messages, after a deploy.\n"),
        ("POP", "UNMODELLED: everything after a pop request"),
        ("pop消费", "UNMODELLED: everything after a pop request"),
        (
            "spring duplicates",
            "Understood: duplicates, rocketmq-spring.\nrocketmq-spring and Spring Cloud's binder run Java's push ",
        ),
        ("static topics", "Understood: static topics.\n"),
        ("扩容后重复消费", "Understood: duplicates, after scaling out.\n"),
        ("messages lost and duplicated", "Understood: lost messages, duplicates.\n"),
    ],
)
def test_free_text_finds_its_answer(call, words, said):
    called = call("why", *words.split()) if words == "POP" else call("why", words)
    assert called.status == 0
    assert called.out.startswith(said) or said in called.out.partition("\n1. ")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("deploy", "Understood: after a deploy.\n"),
        ("AllocateMessageQueueAveragely", "Understood: AllocateMessageQueueAveragely.\n"),
        ("broadcasting", "Understood: push broadcasting.\n"),
        ("qwertz", "Understood: nothing. Ignored: 'qwertz'.\n"),
        ("mq", "Understood: nothing.\n"),
    ],
)
def test_text_without_a_symptom_gets_questions_and_no_cause(call, words, said):
    called = call("why", words)
    assert called.status == 2
    assert called.out.startswith(f"{said}No symptom was recognised, so no cause is listed.\n")
    assert "\n1. " not in called.out
    assert 'rebalance why "subscription not exist"' in called.out
    document = json.loads(call("why", words, "--json").out)
    assert (document["causes"], document["first"], document["understood"]["symptoms"]) == ([], [], [])


def test_several_symptoms_each_have_a_cause(call):
    told = call("why", "messages lost and duplicated after a deploy").out
    assert "(lost): " in told
    assert "(twice): " in told
    assert "rebalance why lost twice --all" in told


def test_words_for_causes_come_first(call):
    for words, names in PUBLIC_CAUSES.items():
        document = json.loads(call("why", words, "--json").out)
        first = document["first"] or [name for line in document["lines"] for name in line["causes"]]
        assert not names or {*names} & {*first[:3]}, (words, first)
        assert not words.startswith(("docker", "two ")) or first[0] == "same-client-id", (words, first)


@pytest.mark.parametrize("symptom", [one.value for one in Symptom])
def test_cause_of_one_minor_client_is_not_first_without_a_client(call, symptom):
    for after in ("deploy", "crash", "broker", "new", "nothing"):
        first = json.loads(call("why", symptom, "--after", after, "--json").out)["first"]
        assert not first or Unusual.CLIENT not in next(one for one in CAUSES if one.name == first[0]).predicts.unusual


def test_several_clients_are_answered_after_what_mixes_badly(call):
    told = call("why", "duplicates", "--client", "4.9.8,go").out
    assert told.startswith("Java and Go in one group: CONSISTENT_HASH, ")
    assert told.index("== Java 4.9.8 ==") < told.index("== Go ==")
    assert told.count("Understood: duplicates.") == 2
    assert "give one with --client" in call("why", "duplicates", "--client", "4.9.8,go", "--json").complaint
    assert "all must use one allocation strategy" in call("why", "twice", "--client", "4.9.8,5.3.3").out


@pytest.mark.parametrize(
    ("client", "said"),
    [
        ("Java 3", "Java 3.x is not modelled; the answer is about 4.9.0, the oldest modelled version."),
        ("3.2.6", "Java 3.2.6 is not modelled; the answer is about 4.9.0, the oldest modelled version."),
        ("python", "rocketmq-client-python wraps the C++ client"),
        ("rocketmq-spring-boot-starter 2.2.3", "rocketmq-spring 2.2.3 contains rocketmq-client 5.0.0."),
        ("cpp 1.2.5", "C++ 1.2.5 is not modelled; the answer is about C++ "),
    ],
)
def test_answer_says_what_it_is_about_instead(call, client, said):
    assert said in call("why", "twice", "--client", client).out


def test_unmodelled_version_is_answered_and_marked(call):
    told = call("why", "twice", "--client", "5.99").out
    assert told.splitlines()[0] == f"Why are messages redelivered? (Java {LAST})"
    assert told.splitlines()[1].startswith(f"5.99 is newer than {LAST}, the newest client that was read")
    for about in ("hand-over", "doRebalance, add a new mq"):
        assert call("why", about, "--client", "5.99").out.startswith(f"5.99 is newer than {LAST}")
    told = call("why", "lost", "--client", "4.7", "--mode", "lite pull").out
    assert "4.7 was not read: this answer uses the model of 4.9.0" in told
    assert "1. old-pull-task: " in told


def test_strategy_option_leaves_out_causes_of_other_strategies(call):
    causes = json.loads(call("why", "tilted", "--strategy", "avg", "--json").out)["causes"]
    known = {one["name"]: one["known"] for one in causes}
    assert known["one-topic"] == "shown"
    assert known["uneven-hash"] == "others"


def test_log_line_is_answered_without_exploration(call, monkeypatch):
    """The time that bounds a cause is explored only where it is printed."""

    def explored(*_):
        raise AssertionError

    monkeypatch.setattr(answer, "most", explored)
    assert "- not-subscribed (stuck; " in call("why", "Subscription NOT exist").out


@pytest.mark.parametrize(("said", "told"), [("over", "(over)"), ("still", "(still there)"), ("", "?")])
def test_answer_about_the_end_is_understood(said, told, monkeypatch, call):
    answers = iter(("", "", said))
    monkeypatch.setattr(why, "_asks", lambda: True)
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(answers))
    assert call("why", "twice").out.partition("\n")[0].endswith(told)


def test_why_asks_questions_in_a_terminal_only(monkeypatch, call):
    asked = []

    offered = []

    def prompt(question, *_, **options):
        asked.append(question)
        offered.append(set(options["type"].choices))
        return {0: "deploy", 1: "", 2: "over"}[len(asked) - 1]

    monkeypatch.setattr(why, "_asks", lambda: True)
    monkeypatch.setattr("click.prompt", prompt)
    assert call("why", "twice").out.startswith("Why are messages redelivered? (after a deploy; over)\n")
    assert len(asked) == 3
    assert [one & {"", "deploy", "one", "all", "over", "still"} for one in offered] == [
        {"", "deploy"},
        {"", "one", "all"},
        {"", "over", "still"},
    ]
    call("why", "twice", "--after", "deploy")
    call("why", "twice", "--all")
    call("why", "twice", "--json")
    assert len(asked) == 3


def test_questions_print_their_possible_answers():
    """An answer that is not understood is asked for again; no brackets are printed."""
    with CliRunner().isolation("deploi\ndeploy\n\nstill\n") as (out, *_):
        facts = why._asked_for(Facts())
    assert (facts.after, facts.reach, facts.over) == (After.DEPLOY, None, False)
    text = out.getvalue().decode()
    after, reach = (", ".join(one.value for one in kind) for kind in (After, Reach))
    assert text.count(f"What happened just before the symptom began? ({after}; Enter if unknown): ") == 2
    assert text.count(f"Does it affect one queue or consumer, or all? ({reach}; Enter if unknown): ") == 1
    assert text.count("Is it over, or still there? (over, still; Enter if unknown): ") == 1
    assert "[" not in text


@pytest.mark.parametrize("terminals", [(True, True), (True, False), (False, True), (None, True), (True, None)])
def test_questions_need_both_standard_streams_to_be_terminals(monkeypatch, terminals):
    for name, terminal in zip(("stdin", "stdout"), terminals, strict=True):
        stream = None if terminal is None else SimpleNamespace(isatty=lambda terminal=terminal: terminal)
        monkeypatch.setattr(sys, name, stream)
    assert why._asks() is (terminals == (True, True))


@pytest.mark.parametrize(("typed", "meant"), [("stuk", "stuck"), ("dropped-entri", "dropped-entry")])
def test_misspelt_name_is_reported_with_a_suggestion(call, typed, meant):
    """For symptoms and for causes."""
    called = call("why", typed)
    assert called.status == 2
    assert f"Did you mean {meant!r}?" in called.out


@contextmanager
def standard_input(path: Path) -> Iterator[None]:
    """Give the file's content as standard input."""
    with path.open(encoding="utf-8") as opened:
        saved = os.dup(0)
        os.dup2(opened.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(saved, 0)
            os.close(saved)


def test_dash_reads_standard_input(call, monkeypatch, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
    with standard_input(path):
        told = call("why", "--file", "-").out
    assert "Queue 1 of broker-a (T): no client, 10 messages wait" in told


def test_standard_input_is_read_once_for_several_clients(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
    with standard_input(path):
        told = call("why", "--file", "-", "--client", "4.9.8,go")
    assert (told.status, told.err) == (0, "")
    java, go = told.out.partition("== Go ==")[::2]
    assert "== Java 4.9.8 ==" in java
    assert java.count("Queue 1 of") == go.count("Queue 1 of") == 1


def test_pipe_without_a_writer_does_not_hang(call, monkeypatch, tmp_path):
    monkeypatch.setattr(pipes, "SECONDS", 0.1)
    os.mkfifo(tmp_path / "pipe")
    called = call("why", "--file", str(tmp_path / "pipe"))
    assert (called.status, called.out) == (2, "")
    assert "no process has written to that pipe" in called.complaint


def test_several_members_on_a_host_are_no_skew(call, tmp_path):
    path = tmp_path / "progress.txt"
    rows = [Row(number, client="10.0.0.1" if number < 6 else "10.0.0.2") for number in range(8)]
    path.write_text(progress(rows), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert "\n1. several-on-a-host: " in told


@pytest.mark.parametrize(
    ("cut", "said"), [(2, "and mqadmin's total is "), (1, "ends within a row"), (0, "The table ends without a total")]
)
def test_truncated_table_is_reported(call, tmp_path, cut, said):
    lines = progress([Row(number, 105, 100) for number in range(4)]).splitlines()
    text = {2: [*lines[:3], *lines[4:]], 1: [*lines[:4], lines[4][:80]], 0: lines[:5]}[cut]
    path = tmp_path / "progress.txt"
    path.write_text("\n".join(text), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert said in told


def test_excluded_causes_are_listed_with_their_claims(call):
    told = call("why", "lost", "--all", "--client", "5.3.3", "--mode", "push").out
    causes, _, excluded = told.partition("Proved impossible (Java 5.3.3, push):")
    assert "error-read-as-none" not in causes
    assert f"PROVED, {Mark.ACCEPTED}: offsets.java_v5.not-skipped.without-answers" in excluded
    before = call("why", "lost", "--all", "--client", "4.9.8", "--mode", "push").out
    assert f"REFUTED, {Mark.ACCEPTED}: offsets.java_v4_9.not-skipped.without-answers" in before
    assert "rocketmq#2944" in before


def test_causes_without_claims_are_marked(call):
    told = call("why", "stuck", "--all", "--client", "5.3.3", "--mode", "push").out
    assert ". strategy-throws: NOT CLAIMED. One member's allocation strategy throws" in told
    assert "No claim covers this: read in the source of Java 4.9.8, Java 5.3.3 and Java 5.5.0 (RebalanceImpl" in told
    assert "Bound: read in the source, not proved." in told


def test_causes_of_broker_lists_are_claimed(call):
    told = call("why", "stuck", "--all", "--client", "5.3.3", "--mode", "push").out
    assert ". host-vanished: A consumer's host" in told
    assert f"REFUTED, {Mark.SEEN}: registry.java_v4_9_to_v5_3.at-once.without-close" in told
    assert "Lasts at most 156 s, until the scan" in told
    assert f"all groups, if each takes 3 s. Bound: proved, {Mark.SEEN}." in told


def test_durations_are_printed_with_their_meaning(call):
    told = call("why", "stuck", "--all", "--client", "5.2", "--mode", "push orderly").out
    assert "Lasts at most 130 s, until the old ProcessQueue's pull expires" in told
    explored = "not proved; explored in steps of 10 s, for any two joins, shutdowns or crashes in a row"
    assert f"Bound: {explored}; real clients: {Mark.MODEL}." in told
    assert f"Bound: proved, {Mark.SEEN}; the last 1 s read in the source, not proved." in told
    assert ". waits-for-shut-down: NOT CLAIMED. " in told
    assert "Not claimed: explored, not proved." in told


def test_bounds_are_printed_with_one_caveat(call):
    for arguments in (("waits-for-shut-down",), ("stuck", "--all"), ("stuck", "--after", "crash")):
        told = call("why", *arguments).out
        assert "asts at most " in told
        assert told.count(CAVEAT) == 1
    for arguments in (("nothing-committed",), ("lost",), ("lost", "--all"), ("subscription not exist",)):
        told = call("why", *arguments).out
        assert "asts at most " not in told
        assert CAVEAT not in told
    told = call("why", "receive broker's notification", "--for", "2m").out
    assert "Listed last: it lasts at most 26 s" in told
    assert told.count(CAVEAT) == 1


def test_too_short_causes_are_listed_last_with_the_reason(call):
    told = call("why", "stuck", "--all", "--client", "5.2", "--mode", "push orderly", "--for", "2m").out
    first, _, last = told.partition("Too short for the 120 s that you observe:")
    assert ". dropped-entry: " in first
    assert "- marked-until-timer" in last
    assert "Listed last: it lasts at most 27.5 s (read " in last
    assert (
        "waits-for-crashed"
        in call("why", "stuck", "--all", "--client", "5.2", "--for", "10s").out.partition("Too short")[0]
    )


def test_lock_log_lines_name_their_file(call):
    told = call("why", "message queue has been locked by other client").out
    assert told.startswith("Log of the broker (lock.log), RebalanceLockManager: ")
    (line, *_) = json.loads(call("why", "locked by other client", "--json").out)["lines"]
    assert (line["log"], line["file"]) == ("broker", "lock.log")


def test_suspended_consumer_is_a_cause(call):
    for mode in ("push", "push orderly"):
        told = call("why", "stuck", "--all", "--client", "5.3.3", "--mode", mode).out
        assert ". suspended: A member is suspended" in told
        assert f"REFUTED, {Mark.SEEN}: pulls.java_v5_3_3.lets-go.without-running" in told
    assert "- suspended (stuck" in call("why", "consumer was paused, execute pull request later.").out
    assert ". suspended-with-old-queues: " in call("why", "back", "--all", "--client", "4.9.8", "--mode", "push").out
    assert (
        "suspended-with-old-queues"
        not in call("why", "back", "--all", "--mode", "push orderly").out.partition("About")[0]
    )


def test_log_line_is_accepted_as_symptom(call):
    told = call("why", "Subscription NOT exist").out
    assert told.startswith(
        "Log of the broker (broker.log), PullMessageProcessor: \"the consumer's subscription not exist, group: {}"
    )
    assert f"- not-subscribed (stuck; real clients: {Mark.SEEN}): " in told
    assert f"- subscriptions-overwritten (stuck; real clients: {Mark.SEEN}): Members subscribe to different" in told


def test_cause_name_prints_the_cause(call):
    told = call("why", "dropped-entry").out
    assert told.startswith("stuck: Why is consumption stalled?\ndropped-entry: ")
    assert "transition.java_v5_2.returns.push-orderly-as-shipped" in told
    other = call("why", "dropped-entry", "--client", "5.3.3", "--mode", "push").out
    assert "Java 5.3.3, push: proved impossible." in other


def test_file_prints_rows_causes_and_open_questions(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert "Queue 1 of broker-a (T): no client, 10 messages wait; its last consumed message is 1 h older" in told
    assert "\n1. not-subscribed: " in told
    assert "\nNot shown:\n" in told
    path.write_text(member(Consumer((Entry(0, dropped=True),), orderly=True)), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert "Java 5.3.3, push orderly, from the files." in told
    assert "\n1. dropped-entry: " in told


def test_file_of_a_healthy_group_lists_what_was_checked(call, tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")]), encoding="utf-8")
    called = call("why", "--file", str(path))
    assert called.status == 0
    assert "Nothing wrong found. Checked: no client id is listed twice" in called.out


def test_symptom_restricts_the_answer_about_a_file(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
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
def test_why_json_matches_its_schema(call, arguments):
    Draft202012Validator.check_schema(schema())
    document = json.loads(call("why", *arguments, "--json").out)
    Draft202012Validator(schema()).validate(document)
    named = {
        name for one in document["causes"] for key in ("shown_by", "excluded_by", "bounded_by") for name in one[key]
    }
    assert named <= IDS
    assert {one["name"] for one in document["causes"]} <= {cause.name for cause in CAUSES}


def test_why_json_of_a_file_matches_its_schema(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
    document = json.loads(call("why", "--file", str(path), "--json").out)
    Draft202012Validator(schema()).validate(document)
    (sign,) = document["signs"]
    assert sign["sign"] == "unowned"
    assert set(sign["causes"]) == {one["name"] for one in document["causes"]}
    assert document["untold"]


def test_why_json_has_a_version_and_the_question(call):
    document = json.loads(call("why", "twice", "--client", "v4.9.8", "--mode", "Push", "--for", "2m", "--json").out)
    assert document["format"] == 1
    assert document["asked"] == {
        "about": "twice",
        "client": "4.9.8",
        "mode": "push",
        "for": 120_000,
        "strategy": None,
        "after": None,
        "queues": None,
        "over": None,
    }
    assert 0 < len(document["first"]) <= 3
    last = [one["told_last"] for one in document["causes"]]
    assert last == sorted(last)
    assert any(last)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("twice", "--client", "pop"), "'pop' is not modelled: everything after a pop request"),
        (("twice", "--mode", "gRPC"), "'gRPC' is not modelled: the gRPC SDKs (rocketmq-clients) and the proxy"),
        (("twice", "--client", "5.2", "--client", "4.9"), "--client is given 2 times; give it once"),
        (("twice", "--over", "--still"), "--over is given 2 times; give it once"),
        (("twice", "--after", "lunch"), "'lunch' is not one of 'deploy', 'crash', "),
        (("twice", "--client", "6.0"), "version '6.0' is not covered; name a Java client version 4.x or 5.x"),
        (
            ("twice", "--client", "kafka"),
            "unknown client 'kafka'; name a Java client version from 4.9.0 to ",
        ),
        (
            ("twice", "--mode", "pusch"),
            "unknown mode 'pusch'; did you mean 'push'? the modes are 'push', 'push orderly'",
        ),
        (("twice", "--for", "2"), "'2' has no unit; write 2s or 2ms"),
        (("twice", "--for", "0s"), "--for is 0; give the time that the symptom has lasted, such as --for 2m"),
        (("twice", "--client", ""), "'' is not a name; leave out the option if you do not need it"),
        (("twice", "--mode", " "), "' ' is not a name; leave out the option if you do not need it"),
        (("twice", "--for", "9000h"), "'9000h' is too long; write a time of at most 168 hours"),
        (("--for", "2m"), "the symptom is missing; name one of twice, lost, stuck, back, tilted, often, start"),
        (("--client", "5.2"), "the symptom is missing; name one of twice, lost, stuck, back, tilted, often, start"),
        (("--file", "/none/such"), "'/none/such': No such file or directory"),
        (
            ("less than store", "--file", "/none/such"),
            "with --file, name one of twice, lost, stuck, back, tilted, often, start, or nothing",
        ),
    ],
)
def test_invalid_why_call_prints_one_sentence(call, arguments, said):
    called = call("why", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


def test_damaged_file_prints_one_sentence(call, tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(member(Consumer()).replace("ProcessQueueInfo [", "ProcessQueueInfo ("), encoding="utf-8")
    called = call("why", "--file", str(path))
    assert (called.status, called.out) == (2, "")
    assert "not a queue of consumerStatus" in called.complaint


def test_log_line_is_quoted_once(call):
    told = call("why", "twice", "--all", "--client", "4.9.8", "--mode", "push").out
    assert told.count('"rebalanced result changed. ') == 1
    assert told.count("Log of the client, quoted under ") > 3


def test_other_clients_have_no_java_log_lines(call):
    told = call("why", "tilted", "--all", "--client", "go").out
    assert "rebalanced result changed" not in told
    assert '"MessageQueue do balance done"' in told
    told = call("why", "tilted", "--all", "--client", "rust").out
    assert "Client log lines are omitted: those of this client were not read." in told
    document = json.loads(call("why", "twice", "--client", "rust", "--json").out)
    assert {line["log"] for cause in document["causes"] for line in cause["lines"]} == {"broker"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "INFO RocketmqClient - the client factory [10.0.0.1@7] start OK",
            'Read: "INFO RocketmqClient - the client factory [10.0.0.1@7] start OK"\n'
            "This is a known line of the Java client (MQClientInstance). "
            "It is about a service or thread that starts or ends, and indicates no cause of a symptom.\n",
        ),
        (
            "invoke deleteExpiredCommitLog start.",
            "This is a known line of the broker (AdminBrokerProcessor).\n"
            "It is about a request of an administrator: topics, groups, accounts, settings or states, and indicates no "
            "cause of a symptom.\n",
        ),
    ],
)
def test_irrelevant_log_line_is_understood(call, text, told):
    called = call("why", text)
    assert (called.status, called.out) == (0, told)
    assert json.loads(call("why", text, "--json").out)["causes"] == []


def test_log_line_without_a_cause_is_explained(call):
    called = call("why", "2024-05-01 INFO - send heart beat to broker[b 0 10.0.0.1:10911] success")
    assert called.status == 0
    assert called.out.startswith('Log of the client, MQClientInstance: "send heart beat to broker[{} {} {}] success": ')
    assert called.out.endswith("This line indicates no cause by itself.\n")


def test_unknown_log_line_is_refused(call):
    assert call("why", "INFO MyService - the order [17] start OK").status == 2


def test_explored_causes_of_unclaimed_clients_are_marked(call):
    told = call("why", "stuck", "--all", "--client", "go", "--mode", "push orderly").out
    assert ". unlock-lost: NOT CLAIMED. " in told
    assert "Lasts at most 120 s, " in told
    assert "Not claimed: explored, not proved." in told


TRACE = (
    "2021-03-19 16:33:02 WARN NettyClientPublicExecutor_1 - execute the pull request exception\n"
    "org.apache.rocketmq.client.exception.MQBrokerException: CODE: 24  DESC: the consumer's group info not exist\n"
    "\tat org.apache.rocketmq.client.impl.MQClientAPIImpl.processPullResponse(MQClientAPIImpl.java:640)\n"
)
LOG = "".join(
    f"2024-05-01 10:0{minute}:00,000 WARN RocketmqClient - doRebalance, G, add a new mq failed, MessageQueue [topic=T, "
    f"brokerName=b, queueId=1], because lock failed\n"
    for minute in range(5)
)


def test_exception_is_read_from_the_argument_and_from_a_file(call, tmp_path):
    told = call("why", TRACE)
    assert told.status == 0
    assert "The broker does not know the consumer group" in told.out
    path = tmp_path / "trace.txt"
    path.write_text(TRACE, encoding="utf-8")
    assert call("why", "--file", str(path)).out == told.out


def test_table_is_read_from_the_argument(call):
    text = progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00")))
    assert "Queue 1 of broker-a (T): no client, 10 messages wait" in call("why", text).out


def test_log_is_answered_with_the_findings_of_an_audit(call, tmp_path):
    path = tmp_path / "client.log"
    path.write_text(LOG, encoding="utf-8")
    told = call("why", "--file", str(path))
    assert told.status == 0
    assert "A log of 5 lines about G: read as `rebalance audit` reads it." in told.out
    assert "Queue locks were not granted: T b 1" in told.out
    assert f"rebalance audit {path}" in told.out
    document = json.loads(call("why", "--file", str(path), "--json").out)
    Draft202012Validator(schema()).validate(document)
    assert document["causes"]


def test_audit_answers_about_a_table_as_why_does(call, tmp_path):
    path = tmp_path / "table.txt"
    heading = "主题 T\nBroker 队列 消费者终端 代理者位点 消费者位点 差值 上次时间\n"
    rows = "b 0 10.0.0.1@1 9 9 0 2024-05-01 10:00:00\nb 1  900 100 800 2024-05-01 06:00:00\n"
    path.write_text(heading + rows, encoding="utf-8")
    told = " ".join(call("audit", str(path)).out.split())
    assert "output of mqadmin rebalance why --file FILE gives this answer, too: Read: the dashboard's table" in told
    assert "Queue 1 of b (T): no client, 800 messages wait" in told


@pytest.mark.parametrize("content", ["hello\nthanks\n", "", '{"a": 1}', "2024-05-01 10:00:00 INFO x - started\n" * 5])
def test_unknown_content_is_refused_with_what_was_expected(call, tmp_path, content):
    path = tmp_path / "unknown.txt"
    path.write_text(content, encoding="utf-8")
    called = call("why", "--file", str(path))
    assert (called.status, called.out) == (2, "")
    assert "unknown.txt" in called.complaint
    assert called.complaint.count("\n") <= 1
    assert re.search("expected a table of mqadmin|none of its 5 lines is about a consumer group", called.complaint)


def test_json_about_a_table_does_not_depend_on_the_language(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00"))), encoding="utf-8")
    english = call("why", "--file", str(path), "--json").out
    language.use("zh")
    try:
        assert call("why", "--file", str(path), "--json").out == english
    finally:
        language.use("en")


def test_exception_beside_a_table_is_answered_too(call, tmp_path):
    path = tmp_path / "both.txt"
    table = progress((Row(0), Row(1, 110, client="N/A", last="2024-05-01 09:00:00")))
    path.write_text(f"{table}\nand the client logs\n{TRACE}", encoding="utf-8")
    told = call("why", "--file", str(path)).out
    before, _, after = told.partition("The broker does not know the consumer group")
    assert "no client, 10 messages wait" in before
    assert "1. broker-comes-back: " in after


def test_file_that_shows_nothing_is_named_beside_a_table(call, tmp_path):
    table, prose = tmp_path / "table.txt", tmp_path / "prose.txt"
    table.write_text(progress((Row(0), Row(1))), encoding="utf-8")
    prose.write_text("hello\n", encoding="utf-8")
    told = call("why", "--file", str(table), "--file", str(prose)).out
    assert f"Not used: {prose} has nothing that is known." in told


def test_client_alone_is_no_question(call):
    called = call("why", "gRPC")
    assert called.status == 2
    assert called.out.startswith("This was not understood: it names no symptom and no cause of gRPC clients.\n")
    assert "Known about gRPC clients: they register at the proxy." in called.out
