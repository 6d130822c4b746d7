"""Client versions that users type: all commands answer them in the same way."""

import json

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.receiving.releases import named
from rebalance_proofs.model.releases import LAST, Resolved, UnknownRelease, resolved
from rebalance_proofs.recorded.jar.describe import profile_of
from rebalance_proofs.report.symptoms.versions import client_of
from tests.model.test_releases import FORMS

GROUP = "recorded/groups/java-4.9.8/x_start_threw"
BEGIN = "2024-05-21 10:00:00,123 INFO RocketmqClient - "
LINE = f"{BEGIN}doRebalance, G, add a new mq, MessageQueue "
COMMANDS = {
    "why": ("why", "hand-over", "--json", "--client"),
    "list": ("list", "allocation.avg.**", "--json", "--client"),
    "settle": ("settle", "--event", "crash", "--json", "--client"),
    "safe": ("safe", "--json", "--client"),
    "explore": ("explore", "concurrent", "--consumers", "1", "--levels", "1", "--no-settle", "--json", "--client"),
    "conform": ("conform", "--cluster", GROUP, "--json", "--client"),
}
TYPED = st.builds(
    lambda form, numbers, end: form.format(".".join(map(str, numbers)) + end),
    st.sampled_from(FORMS),
    st.tuples(st.integers(3, 6), st.integers(0, 11), st.integers(0, 9)) | st.tuples(st.integers(3, 6)),
    st.sampled_from(["", "", "-SNAPSHOT"]),
)
EACH = settings(
    deadline=None,
    max_examples=4,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def audited(tmp_path):
    log = tmp_path / "rocketmq_client.log"
    log.write_text(f"{LINE}[topic=pay, brokerName=broker-a, queueId=0]\n", encoding="utf-8")
    return ("audit", str(log), "--json", "--client")


def remark(out):
    """Return the remark in a command's JSON."""
    document = json.loads(out)
    if isinstance(document, list):
        (found,) = {row["remark"] for row in document}
        return found
    return (document["traces"][0] if "traces" in document else document)["remark"]


def complaint(called):
    """Return the refusal without the command's own beginning, such as the name of the program."""
    return called.complaint.removeprefix("rebalance: ")


def covered(typed):
    """Return whether the text names a client in other words than those of `resolved`."""
    found = client_of(typed)
    return found is not None and found.covered


def of_jar(typed):
    try:
        profile, note = profile_of(typed)
    except StrategyError as error:
        return str(error)
    return profile.name, note


@EACH
@given(TYPED)
@example("5.99.0")
@example("5.1.5")
@example("4.7")
@example("6.0")
@example("Java 6")
@example("3.x")
@example("rocketmq-client:6")
@example("5.3.3")
@example("kafka")
@example("v5")
@example("rocketmq-client-java 5.0.7")
def test_every_command_answers_a_version_alike(call, audited, typed):
    commands = COMMANDS | {"audit": audited}
    try:
        expected = resolved(typed)
    except UnknownRelease as error:
        reason = str(error)
        for name, command in commands.items():
            called = call(*command, typed)
            if name in ("why", "settle") and (sdk := named(typed)):
                assert remark(called.out) == (sdk.note or None)
                continue
            if name == "list" and named(typed):
                assert (called.status, called.out) == (0, "[]\n")  # no claim about strategies
                continue
            instead = client_of(typed) if name == "why" or (name == "list" and covered(typed)) else None
            if instead:  # the answer names the client that it is about
                assert remark(called.out) == (instead.note or None)
                continue
            assert called.status == 2
            said = complaint(called)
            own = said.removesuffix(", or a gRPC client such as grpc-java")
            only_java = name == "settle" and reason.startswith(own)  # it suggests no client that it would refuse
            assert said == reason or only_java or ("gRPC" in reason and "gRPC" in said), name
        assert of_jar(typed) == reason
        return
    for name, command in commands.items():
        called = call(*command, typed)
        assert called.status in (0, 1), (name, called.err)
        assert remark(called.out) == (expected.note or None), name
    assert of_jar(typed) == (f"java_v{expected.release[0]}", expected.note)


@pytest.mark.parametrize("command", ["why", "list", "settle", "safe", "explore", "conform"])
def test_text_answer_has_the_remark(command, call):
    called = call(*(word for word in COMMANDS[command] if word != "--json"), "5.99.0")
    assert called.out.count(f"5.99.0 is newer than {LAST}, the newest client that was read") == 1


@pytest.mark.parametrize("command", [*COMMANDS, "audit", "conform --java"])
def test_every_command_rejects_an_empty_version(command, call, audited):
    words = {**COMMANDS, "audit": audited, "conform --java": ("conform", "--java", "--classpath", ".", "--client")}
    called = call(*words[command], "")
    assert called.status == 2
    assert "'' is not a name; leave out the option if you do not need it" in called.complaint


def test_audit_reads_the_version_of_a_log_by_the_same_rule(call, tmp_path):
    log = tmp_path / "rocketmq_client.log"
    log.write_text(
        f"{BEGIN}Created a new client Instance, InstanceIndex:0, ClientID:127.0.0.1@c0, "
        "ClientConfig:ClientConfig{instanceName='c0'}, ClientVersion:V5_99_0, SerializerType:JSON\n"
        f"{LINE}[topic=pay, brokerName=broker-a, queueId=0]\n",
        encoding="utf-8",
    )
    document = json.loads(call("audit", str(log), "--json").out)
    assert document["groups"][0]["coverage"][0]["version"] == "V5_99_0"
    assert (document["client"], document["remark"]) == (LAST, resolved("5.99.0").note)
    assert resolved("5.99.0").note in call("audit", str(log)).out


@pytest.mark.parametrize("typed", ["go 2.1.2", "golang v2.0.0", "go"])
def test_go_is_answered_alike(typed, call):
    for name in ("why", "list", "safe"):
        assert remark(call(*COMMANDS[name], typed).out) == (resolved(typed).note or None), name


@pytest.mark.parametrize("typed", ["go 1.2.5", "ali-ons 2.0.4"])
def test_other_major_version_of_another_client_is_refused_alike(typed, call):
    with pytest.raises(UnknownRelease) as refused:
        resolved(typed)
    for name in ("list", "settle", "safe", "explore", "conform"):
        assert complaint(call(*COMMANDS[name], typed)) == str(refused.value), name
    assert "is not modelled; the answer is about" in remark(call(*COMMANDS["why"], typed).out)


@pytest.mark.parametrize(
    "client", ["grpc-foo", "grpc-cpp-9.9.9", "grpc-java-4.9.8", "grpc-python-0", "grpc-rust-1.0.0"]
)
@pytest.mark.parametrize("command", [("why", "stuck"), ("list",), ("settle", "--event", "crash")])
def test_unknown_client_or_version_is_refused_by_each_command(call, command, client):
    called = call(*command, "--client", client)
    assert called.status == 2
    assert f"unknown client {client!r}; did you mean 'grpc-" in called.err


@pytest.mark.parametrize("command", [("why", "stuck"), ("settle", "--event", "crash")])
def test_version_of_rust_is_answered_with_the_sources_that_were_read(call, command):
    called = call(*command, "--client", "grpc-rust-5.0.0", "--json")
    remark = "gRPC Rust 5.0.0 was not read: this answer uses the unreleased sources of gRPC Rust."
    assert (called.status, json.loads(called.out)["remark"]) == (0, remark)


@pytest.mark.parametrize("client", [",", " , ,"])
def test_commas_without_a_client_are_refused(call, client):
    called = call("why", "stuck", "--client", client)
    assert called.status == 2
    assert "unknown client" in called.err


@pytest.mark.parametrize("fault", ["note", "release"])
def test_a_command_with_its_own_rule_is_noticed(fault, call, audited, monkeypatch):
    own = {"note": lambda words: Resolved(LAST), "release": lambda words: Resolved("4.9.8", resolved(words).note)}
    monkeypatch.setattr("rebalance_proofs.cli.settle.resolved", own[fault])
    found = json.loads(call(*COMMANDS["settle"], "5.99.0").out)
    right = ("java_v5_2", resolved("5.99.0").note)
    assert (found["client"], found["remark"]) != right
