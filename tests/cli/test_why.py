"""``rebalance why``, for operators of a misbehaving group."""

import importlib
import json
import os
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from rebalance_proofs.model.releases import LAST
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded import pipes
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.symptoms import answer
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import schema
from rebalance_proofs.report.symptoms.facts import After, Facts, Reach
from rebalance_proofs.report.symptoms.words import CAVEAT
from tests.report.symptoms.printed import Consumer, Entry, Row, member, progress, status

why = importlib.import_module("rebalance_proofs.cli.why")
IDS = {claim.id for claim in LEDGER}


def test_why_without_a_symptom_lists_the_symptoms(call):
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


def test_brief_answer_has_at_most_three_causes_with_check_and_fix(call):
    called = call("why", "twice", "--after", "deploy", "--client", "4.9.8", "--mode", "push", "--for", "2m", "--over")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == "Why are messages redelivered? (Java 4.9.8, push; after a deploy; over)"
    assert next(line for line in lines if line[:1].isdigit()).startswith("1. hand-over: ")
    for head in ("   Fits: after a deploy", "   Confirm: ", "   Fix: "):
        assert len([line for line in lines if line.startswith(head)]) == 3
    assert "4. " not in called.out
    assert "rebalance why twice --all" in called.out
    assert call("why", "twice", "--all").out.count("\n4. ") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("duplicate", "Why are messages redelivered?\n"),
        (
            "one queue stands still after a crash",
            "Why is consumption stalled? (after a crash of a consumer; one queue or ",
        ),
        ("offset went back", "Why did the offset roll back?\n"),
        ("deploy", "What is it? (after a deploy)\n"),
        ("messages lost since the deploy", "Why are messages lost? (after a deploy)\n"),
        ("POP", "UNMODELLED: everything after a pop request"),
        ("gRPC", "UNMODELLED: the gRPC SDKs"),
        (
            "spring duplicates",
            "Why are messages redelivered?\nrocketmq-spring and Spring Cloud's binder run Java's push consumer",
        ),
        ("AllocateMessageQueueAveragely", "What is it? (AVG)\n"),
        ("static topics", "stuck: Why is consumption stalled?\nstatic-topic: "),
        ("broadcasting", "What is it? (push broadcasting)\n"),
    ],
)
def test_free_text_finds_its_answer(call, words, said):
    called = call("why", *words.split()) if words == "POP" else call("why", words)
    assert called.status == 0
    assert called.out.startswith(said) or said in called.out.partition("\n1. ")[0]


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
    assert f"did you mean {meant!r}? the symptoms are twice," in call("why", typed).complaint


def test_dash_reads_standard_input(call, monkeypatch, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    with path.open(encoding="utf-8") as opened:
        saved = os.dup(0)
        os.dup2(opened.fileno(), 0)
        try:
            told = call("why", "--file", "-").out
        finally:
            os.dup2(saved, 0)
            os.close(saved)
    assert "T broker-a 1: no client" in told


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
    first = told.partition("Causes that fit, best fit first:\n")[2].splitlines()[0]
    assert first.startswith("  - several-on-a-host (tilted")


@pytest.mark.parametrize(
    ("cut", "said"), [(2, "and mqadmin's total is "), (1, "ends within a row"), (0, "Are rows missing? ")]
)
def test_truncated_table_is_reported(call, tmp_path, cut, said):
    lines = progress([Row(number, 105, 100) for number in range(4)]).splitlines()
    text = {2: [*lines[:3], *lines[4:]], 1: [*lines[:4], lines[4][:80]], 0: lines[:5]}[cut]
    path = tmp_path / "progress.txt"
    path.write_text("\n".join(text), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert said in told.partition("Open questions:")[2]


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


def test_file_prints_signs_fitting_causes_and_open_questions(call, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert "Observed: a queue without a client.\n  T broker-a 1: no client\n" in told
    assert f"  - not-subscribed (stuck, fits all signs; real clients: {Mark.SEEN}): " in told
    assert "Open questions:" in told
    path.write_text(member(Consumer((Entry(0, dropped=True),), orderly=True)), encoding="utf-8")
    told = call("why", "--file", str(path)).out
    assert told.startswith("Java 5.3.3, push orderly, from the files.")
    assert f"  - dropped-entry (stuck, fits all signs; real clients: {Mark.SEEN}): " in told


def test_file_of_a_healthy_group_says_so(call, tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")]), encoding="utf-8")
    called = call("why", "--file", str(path))
    assert called.status == 0
    assert "The files point to no known cause." in called.out


def test_symptom_restricts_the_answer_about_a_file(call, tmp_path):
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
    path.write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
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
        (
            ("stuk",),
            "'stuk' is not a known symptom, cause or log line; did you mean 'stuck'? the symptoms are twice,",
        ),
        (("qwertz",), "the symptoms are twice, lost, stuck, back, tilted"),
        (("mq",), "'mq' is not a known symptom"),
        (("xyzzy",), "is not a known symptom, cause or log line; the symptoms are twice, lost,"),
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
        (("--for", "2m"), "the symptom is missing; name one of twice, lost, stuck, back, tilted"),
        (("--client", "5.2"), "the symptom is missing; name one of twice, lost, stuck, back, tilted"),
        (("--file", "/none/such"), "'/none/such': No such file or directory"),
        (
            ("less than store", "--file", "/none/such"),
            "with --file, name one of twice, lost, stuck, back, tilted, or nothing",
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
    assert "Client log lines are omitted: only those of the Java client were read." in told
    document = json.loads(call("why", "twice", "--client", "go", "--json").out)
    assert {line["log"] for cause in document["causes"] for line in cause["lines"]} == {"broker"}


def test_explored_causes_of_unclaimed_clients_are_marked(call):
    told = call("why", "stuck", "--all", "--client", "go", "--mode", "push orderly").out
    assert ". unlock-lost: NOT CLAIMED. " in told
    assert "Lasts at most 120 s, " in told
    assert "Not claimed: explored, not proved." in told
