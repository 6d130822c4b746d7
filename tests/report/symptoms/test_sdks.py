"""Answers about gRPC clients (rocketmq-clients): which client a text names, and which causes it can have."""

import json

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli.why import why
from rebalance_proofs.model.machines.receiving import CLIENTS
from rebalance_proofs.model.receiving import releases as sdks
from rebalance_proofs.model.receiving.releases import READ, named, releases, subjects, whose
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.symptoms.answer import Known, found
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import After, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, SDK_CAUSES
from rebalance_proofs.report.symptoms.understood import understood
from rebalance_proofs.report.symptoms.worded import NOT_UNDERSTOOD

NAMES = {one.name for one in SDK_CAUSES}
TYPED = {
    "grpc": "grpc",
    "gRPC": "grpc",
    "rocketmq5 SDK": "grpc",
    "SimpleConsumer": "grpc",
    "rocketmq-clients": "grpc",
    "grpc-java": "grpc-java",
    "grpc-go": "grpc-go",
    "grpc-cpp": "grpc-cpp",
    "grpc-rust": "grpc-rust",
    "grpc-csharp": "grpc-csharp",
    "grpc-node": "grpc-node",
    "grpc-python": "grpc-python",
    "grpc-python-5.1.1": "grpc-python 5.1.1",
    "python-5.1": "grpc-python 5.1",
    "python grpc 5.1.1": "grpc-python 5.1.1",
    "rocketmq-python-client 5.1.1": "grpc-python 5.1.1",
    "rocketmq-client-java 5.0.7": "grpc-java 5.0.8",
    "rocketmq-client-java-5.2.1.jar": "grpc-java 5.2.1",
    "rocketmq-clients golang v5.1.4": "grpc-go 5.1.4",
    "github.com/apache/rocketmq-clients/golang/v5@v5.1.4": "grpc-go 5.1.4",
    "rocketmq-clients c++ 5.0.3": "grpc-cpp 5.0.4",
    "rocketmq-client-nodejs 1.0.8": "grpc-node 1.0.8",
    "使用grpc客户端": "grpc",
    "5.0 SDK": "grpc",
    "RocketMQ 5 client SDK": "grpc",
    "v5 PushConsumer 不消费": "grpc",
    "rocketmq go client v5": "grpc-go",
    "rocketmq v5 client": "grpc",
    "v5 clients go offline": "grpc",
    "C++ v5 client": "grpc-cpp",
    "Java 5.0 SDK": "grpc-java",
    "receipt handle is expired": "grpc",
    "INVALID_RECEIPT_HANDLE": "grpc",
    "message group": "grpc",
    "同一消息组": "grpc",
    "FilterExpression in C#": "grpc-csharp",
    "invisible duration": "grpc",
    "ClientConfiguration": "grpc",
    "proxy 8081": "grpc",
    "migrated to the v5 client": "grpc",
    "moved to v5 python client": "grpc-python",
    "SimpleConsumer.receive()": "grpc",
    "rmq-proxy:8081": "grpc",
}
OTHERS = (
    "DefaultMQPushConsumer as a simple consumer",
    "rocketmq 5.x client",
    "go",
    "python",
    "python 2.0",
    "5.2",
    "rocketmq-client 5.0.7",
    "spring",
    "rust",
    "io.grpc.StatusException: X",
    "5.0.0 DefaultMQPushConsumer",
    "v5 MessageListenerConcurrently",
    "client 5.2",
    "v5.3.1",
    "rocketmq v5 broker",
    "upgraded to rocketmq v5",
    "upgrade from v4 to v5",
    "消息组件",
)


@pytest.mark.parametrize("typed", TYPED)
def test_name_of_a_grpc_client_is_read(typed):
    assert named(typed) is not None
    assert named(typed).release == TYPED[typed]


@pytest.mark.parametrize("typed", OTHERS)
def test_other_client_is_no_grpc_client(typed):
    assert named(typed) is None


def test_version_of_the_server_is_not_the_clients():
    assert named("grpc python client, server 5.3.1").release == "grpc-python"
    assert named("SimpleConsumer of Java, RocketMQ 5.1.4").release == "grpc-java"


def test_version_that_was_not_read_is_named():
    assert named("rocketmq-client-java 5.0.7").note == "gRPC Java 5.0.7 was not read: this answer uses gRPC Java 5.0.8."
    assert named("rocketmq-client-java 5.0.8").note == ""


@pytest.mark.parametrize(
    ("typed", "release", "between"),
    [
        ("grpc-java 5.0.8", "5.0.8", ""),
        ("grpc-java 5.1.0", "5.0.8", "between 5.0.8 and 5.2.1"),
        ("grpc-java 5.2.0", "5.0.8", "between 5.0.8 and 5.2.1"),
        ("grpc-java 5.2.1", "5.2.1", ""),
        ("grpc-java 5.2.2", "5.2.1", "5.2.2 was not read"),
        ("grpc-cpp 5.0.6", "5.0.4", "between 5.0.4 and 5.1.1"),
        ("grpc-go 5.1.2", "5.0.0", "5.1.2 was not read"),  # 5.0.0 has no push consumer
        ("grpc-go 5.1.3", "5.1.3", ""),
        ("grpc-go 5.1.4", "5.1.4", ""),
        ("grpc-node 1.0.8", "1.0.8", ""),
        ("grpc-python 5.0.9", "5.0.9", ""),
        ("grpc-python 5.1.0", "5.0.9", "5.1.0 was not read"),  # 5.1.1 differs
        ("grpc-python 5.1.1", "5.1.1", ""),
        ("grpc-python 5.1.2", "5.1.2", ""),
    ],
)
def test_release_between_two_with_one_model_has_that_model(typed, release, between):
    found = named(typed)
    assert found.release == f"{typed.partition(' ')[0]} {release}"
    assert between in found.note
    assert bool(between) is bool(found.note)


def test_line_stands_for_its_releases():
    assert releases("grpc-python 5.1") == {"grpc-python 5.1.1", "grpc-python 5.1.2"}
    assert subjects("grpc-python 5.1") == {"python_v5_1_1", "python_v5_1_2"}
    assert subjects("grpc") == {one.name for one in CLIENTS}


def test_releases_are_those_of_the_claims():
    read = {(whose(f"{client} {one}"), subject) for client, found in READ.items() for one, subject in found.items()}
    of_claims = {(release, one.name) for one in CLIENTS for release in one.releases}
    assert {pair for pair in read if pair[1] not in ("", "rust")} == of_claims


def test_every_refuted_claim_about_receive_loops_has_a_cause():
    cited = {name for one in SDK_CAUSES for effect in one.effects for name in effect.refuted}
    refuted = {one.id for one in LEDGER if one.kind == "receiving" and one.expected is Verdict.REFUTED}
    # Go's loops linger, which is the cause of its other claims; two topics of Python multiply its loops.
    assert refuted - cited == {
        "receiving.go.one-loop",
        "receiving.python_v5_0.apart",
        "receiving.python_v5_1_1.apart",
    }


@pytest.mark.parametrize("symptom", Symptom)
def test_each_client_has_only_causes_of_its_protocol(symptom):
    for release in ("grpc", *READ):
        assert {one.cause.name for one in found(symptom, Asked(release))} <= NAMES
    for release in ("", *RELEASES):
        assert {one.cause.name for one in found(symptom, Asked(release))}.isdisjoint(NAMES)


def known(name: str, release: str) -> Known:
    cause = next(one for one in SDK_CAUSES if one.name == name)
    return found(cause.effects[0].symptom, Asked(release), among=[cause])[0].known


@pytest.mark.parametrize(
    ("name", "release", "expected"),
    [
        ("loops-multiply", "grpc-python 5.1.1", Known.SHOWN),
        ("loops-multiply", "grpc-python 5.1", Known.SHOWN),
        ("loops-multiply", "grpc-python 5.1.2", Known.EXCLUDED),
        ("loops-multiply", "grpc-java", Known.EXCLUDED),
        ("failed-query", "grpc-go 5.1.4", Known.SHOWN),
        ("failed-query", "grpc-rust", Known.EXCLUDED),
        ("last-topic-only", "grpc-rust", Known.SHOWN),
        ("last-topic-only", "grpc-go", Known.EXCLUDED),
        ("stuck-loop", "grpc-java 5.2.1", Known.SHOWN),
        ("stuck-loop", "grpc-node", Known.EXCLUDED),
        ("keeps-lost-queues", "grpc-cpp", Known.SHOWN),
        ("received-after-shutdown", "grpc-node", Known.SHOWN),
        ("settings-not-applied", "grpc-python 5.0.9", Known.READ),
        ("settings-not-applied", "grpc-python 5.1.2", Known.NOT_READ),
        ("index-restarts", "grpc-go 5.1.4", Known.NOT_READ),
        ("acked-late", "grpc-csharp", Known.READ),
    ],
)
def test_cause_is_that_of_the_release(name, release, expected):
    assert known(name, release) is expected


def test_seeded_fault_of_another_release_is_noticed(monkeypatch):
    monkeypatch.setattr(sdks, "_in_line", lambda version, line: True)
    assert known("settings-not-applied", "grpc-python 5.1.2") is Known.READ


def first(*arguments: str) -> list[str]:
    called = CliRunner().invoke(why, [*arguments, "--json"], standalone_mode=False)
    document = json.loads(called.output)
    return document["first"] or [one["name"] for one in document["causes"]]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("grpc consumer gets the same message twice because the receipt handle expired before the ack", "acked-late"),
        ("rocketmq-client-java 5.0.8: FIFO messages are out of order", "group-not-ordered"),
        ("rocketmq-client-java SimpleConsumer: ILLEGAL_POLLING_TIME", "polling-time-too-short"),
        ("grpc 客户端 新消费组启动后收不到之前的消息", "new-group-at-the-end"),
        ("grpc go: consumption stops for a few seconds after the query for the assignment failed", "failed-query"),
        ("grpc rust push consumer with two topics consumes only one topic, the other is stuck", "last-topic-only"),
        ("grpc node: messages still arrive after unsubscribe", "unsubscribed-received"),
        ("dashboard says the group is not online, we use the grpc SDK", "not-online"),
        ("does grpc support broadcast?", "no-broadcasting"),
        (
            "rocketmq-client-java PushConsumer: messages of the same message group are consumed concurrently",
            "group-not-ordered",
        ),
        ("v5 PushConsumer 不消费, 堆积, proxy 正常", "cache-full"),
        ("rocketmq go client v5 unsubscribe still receiving", "unsubscribed-received"),
        ("new v5 consumer group does not get old messages", "new-group-at-the-end"),
        ("grpc-go 在 proxy 重启后丢失 client settings，收不到消息", "settings-missing"),
        ("grpc java: nothing is received after a restart of the proxy, heartbeats fail", "settings-missing"),
        ("SimpleConsumer of a FIFO topic gets messages out of order", "group-not-ordered"),
        ("C++ v5 client: a rolling restart redelivers messages in the local cache", "renewal-lost"),
        ("consumption of our FIFO topic pauses", "unacked-blocks-queue"),
    ],
)
def test_question_has_its_cause_among_the_first(text, cause):
    assert cause in first(text)


def test_receive_without_messages_is_a_stall():
    assert first("SimpleConsumer receive returns nothing", "--client", "grpc-go")[:2] == [
        "polls-one-broker",
        "index-restarts",
    ]
    assert first("SimpleConsumer receive 返回空", "--client", "grpc-go")[0] == "polls-one-broker"
    assert first("SimpleConsumer.receive() is always empty, two brokers")[0] == "polls-one-broker"


def test_one_consumer_that_gets_all_messages_is_a_skew():
    assert first("grpc-java PushConsumer: only one of our consumers gets messages")[0] == "polls-every-broker"


@pytest.mark.parametrize(
    "text",
    [
        "SimpleConsumer gets the same message again after 30 seconds",
        "SimpleConsumer 重复消费",
        "SimpleConsumer 30秒后又收到同一条消息",
        "receipt handle is expired",
        "INVALID_RECEIPT_HANDLE",
    ],
)
def test_late_acknowledgement_is_first(text):
    assert first(text)[0] == "acked-late"


def test_consumer_without_a_listener_has_no_cause_about_one():
    about_listeners = {"consume-failure", "cache-full", "group-not-ordered"}
    assert about_listeners.isdisjoint(first("SimpleConsumer messages consumed twice"))
    assert about_listeners.isdisjoint(first("SimpleConsumer is stuck"))
    assert first("python grpc: the SimpleConsumer works, but the PushConsumer is stuck")[0] == "settings-not-applied"


def test_known_line_of_the_proxy_is_read_although_it_names_the_proxy():
    of = "org.apache.rocketmq.proxy.grpc.v2.consumer.ReceiveMessageActivity"
    line = f"null. NullPointerException. {of}.receiveMessage(ReceiveMessageActivity.java:65)"
    said = CliRunner().invoke(why, [line, "--json"], standalone_mode=False).output
    assert json.loads(said)["lines"][0]["causes"] == ["settings-missing"]


def test_version_as_the_option_is_the_remoting_clients():
    for client in ("5.2", "v5"):
        assert set(first("messages are consumed twice", "--client", client)).isdisjoint(NAMES)


@pytest.mark.parametrize(
    ("text", "client"),
    [
        ("dead-letter", "grpc-java"),
        ("SimpleConsumer failed too many times and went to the dead letter queue", ""),
        ("死信队列", "grpc-java"),
    ],
)
def test_attempts_lead_to_the_dead_letter_topic(text, client):
    assert first(text, *["--client", client] * bool(client))[0] == "attempts-used-up"


def test_reset_has_its_cause():
    assert first("back", "--client", "grpc-java") == ["reset-at-receive"]
    assert first("grpc java: messages are consumed again after an offset reset")[0] == "reset-at-receive"


@pytest.mark.parametrize(
    ("text", "lasted"),
    [
        ("messages consumed twice, the listener takes 4 hours", None),
        ("重复消费，监听器处理一条消息需要 4 小时", None),
        ("consumption is stuck for 4 hours", 4 * 3_600_000),
        ("the listener hangs, messages are stuck for 4 hours", 4 * 3_600_000),
    ],
)
def test_time_of_a_listener_is_not_that_of_the_symptom(text, lasted):
    assert understood(text).lasted == lasted


@pytest.mark.parametrize("text", ["grpc java consumer: the message failed too many times", "消费失败次数过多"])
def test_failed_message_is_no_crash(text):
    assert understood(text).after == ()


def test_crashed_consumer_is_one():
    assert understood("a consumer failed and messages are consumed twice").after == (After.CRASH,)


@pytest.mark.parametrize("release", READ)
@pytest.mark.parametrize("text", ["often", "rebalances all the time", "频繁重平衡"])
def test_grpc_clients_do_not_rebalance(release, text):
    called = CliRunner().invoke(why, [text, "--client", release], standalone_mode=False)
    assert "The proxy assigns every broker to every consumer; there is no group rebalance." in called.output
    assert "No known cause fits" not in called.output


def test_cause_of_one_other_client_is_left_out():
    def everything(release: str) -> str:
        return CliRunner().invoke(why, ["stuck", "--client", release, "--all"], standalone_mode=False).output

    assert "last-topic-only" not in everything("grpc-java")
    assert "last-topic-only" in everything("grpc-rust")
    assert "settings-not-applied" in everything("grpc-python 5.1.2")  # fixed there
    assert "stuck-loop" in everything("grpc-node")  # several clients have it


def test_cause_of_one_client_is_not_first_for_any():
    of_one = {one.name for one in SDK_CAUSES if one.only_sdk}
    assert {"last-topic-only", "settings-not-applied", "failed-query", "index-restarts"} <= of_one
    assert "stuck-loop" not in of_one
    assert of_one.isdisjoint(first("grpc consumer is stuck"))
    assert first("message group out of order")[0] == "group-not-ordered"


def test_start_of_a_new_group_depends_on_the_broker():
    cause = next(one for one in SDK_CAUSES if one.name == "new-group-at-the-end")
    assert "initPopOffsetByCheckMsgInMem" in cause.sentence.en
    assert "initPopOffsetByCheckMsgInMem" in str(cause.sentence.zh)


def test_client_of_the_option_counts_without_a_word_about_grpc():
    assert set(first("messages are consumed twice", "--client", "grpc-go")) <= NAMES
    assert set(first("messages are consumed twice", "--client", "go")).isdisjoint(NAMES)


@pytest.mark.parametrize(
    "arguments",
    [
        ("what is the default port of the grpc proxy",),
        ("how long until a dead grpc consumer is removed",),
        ("the weather is fine", "--client", "grpc-java"),
        ("same-client-id", "--client", "grpc-java"),
    ],
)
def test_question_outside_the_model_is_not_guessed(arguments):
    found = CliRunner().invoke(why, [*arguments], standalone_mode=False)
    assert found.output.startswith("This was not understood: it names no symptom and no cause of gRPC ")
    assert "rebalance why SYMPTOM --client grpc" in found.output
    assert found.return_value == NOT_UNDERSTOOD


@pytest.mark.parametrize("cause", sorted(NAMES))
def test_cause_is_printed_by_its_name(cause):
    found = CliRunner().invoke(why, [cause], standalone_mode=False)
    assert f"\n{cause}: " in found.output
    assert "Confirm: " in found.output


def test_strategy_of_a_grpc_client_is_refused():
    found = CliRunner().invoke(why, ["twice", "--client", "grpc-go", "--strategy", "avg"], standalone_mode=False)
    assert str(found.exception) == "gRPC clients have no allocation strategy; leave --strategy out"


def test_group_of_both_protocols_is_not_modelled():
    found = CliRunner().invoke(why, ["twice", "--client", "4.9.8,grpc-go"], standalone_mode=False)
    assert found.output.startswith("A group with gRPC clients and other clients is not modelled. In a recorded group, ")
    assert "== gRPC Go ==" in found.output


def test_words_of_one_protocol_name_no_cause_of_the_other():
    assert NAMES.isdisjoint({one.name for one in CAUSES})
    assert set(first("broadcasting: every consumer gets every message twice")).isdisjoint(NAMES)


@pytest.mark.parametrize(
    ("text", "client", "cause"),
    [
        ("two topics, only one is received", "grpc-rust", "last-topic-only"),
        ("订阅两个 topic 只收到一个 topic 的消息", "grpc-rust", "last-topic-only"),
        ("assignment is empty but receive loop continues", "grpc-cpp", "keeps-lost-queues"),
        ("停机后还在接收消息", "grpc-node", "received-after-shutdown"),
        ("still receives messages after a shutdown", "grpc-node", "received-after-shutdown"),
    ],
)
def test_known_fault_of_a_client_is_first(text, client, cause):
    assert first(text, "--client", client)[0] == cause


def test_one_consumer_of_two_topics_is_no_fault_of_topics():
    assert first("two topics, only one consumer gets messages", "--client", "grpc-rust")[0] == "polls-every-broker"


@pytest.mark.parametrize(
    "text", ["收不到消息，重启代理后", "stuck after a proxy restart", "stuck, we restarted the proxy"]
)
def test_restart_of_the_proxy_is_no_deploy(text):
    words = understood(text)
    assert words.after == (After.BROKER,)
    assert not {"proxy", "代理"} & set(words.ignored)
    assert first(text, "--client", "grpc-go")[0] == "settings-missing"


def about(cause: str, client: str) -> str:
    return CliRunner().invoke(why, [cause, "--client", client], standalone_mode=False).output


def test_check_of_a_full_cache_is_that_of_the_client():
    of_java, of_cpp = (about("cache-full", client) for client in ("grpc-java 5.2.1", "grpc-cpp"))
    assert "Confirm: The Java, Go or C# client logs" in of_java
    assert "Confirm: The C++ client logs" not in of_java
    assert "Confirm: The C++ client logs" in of_cpp
    assert "Java, Go or C# client" not in of_cpp
    assert "client logs" not in about("cache-full", "grpc-python").partition("Confirm:")[2]
    assert about("cache-full", "grpc").count("client logs") == 2
    short = CliRunner().invoke(why, ["stuck", "--client", "grpc-cpp"], standalone_mode=False).output
    assert "The C++ client logs" in short
    assert "Java, Go or C# client" not in short


def test_update_of_python_is_a_fix_for_python_only():
    update = "Fix: Update rocketmq-python-client to 5.1.2."
    assert update in about("stuck-loop", "grpc-python 5.1.1")
    assert "rocketmq-python-client" not in about("stuck-loop", "grpc-csharp")
    assert "Fix: Restart the consumer." in about("stuck-loop", "grpc-csharp")
