"""Recordings with gRPC members: the shipped ones follow the models, and altered ones do not."""

import gzip
import json
import shutil
from dataclasses import replace

import pytest

from rebalance_proofs.model.receiving.sdks import PythonPushConsumerV5_1_1
from rebalance_proofs.recorded.groups import run as of_groups
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.grpc import check
from rebalance_proofs.recorded.grpc.check import checked, lines, shared
from rebalance_proofs.recorded.grpc.document import of_run
from rebalance_proofs.recorded.grpc.events import is_grpc, load
from rebalance_proofs.recorded.grpc.run import run, setup
from rebalance_proofs.recorded.grpc.scenarios import REMOTING, SCENARIOS
from tests.each import each

SHIPPED = check.SHIPPED / "grpc_two_topics"
FAULTS = {PythonPushConsumerV5_1_1: "receiving.some.claim"}
LOOPS = {
    "p0": {"T1": 2, "T2": 1},
    "p1": {"T1": 3, "T2": 2, "T3": 1},
    "p2": {"T1": 1, "T2": 1, "T3": 1},
    "j0": {"T1": 1, "T2": 1},
}
"""Member of grpc_two_topics -> topic -> receive loops: p0 and p1 are Python 5.1.1."""


def altered(folder, who, alter, name="grpc_two_topics"):
    """Return a copy of a shipped recording, in which ``alter`` has changed one process's list of events."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(check.SHIPPED / name, folder)
    path = folder / f"{who}.jsonl.gz"
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    alter(rows)
    for number, row in enumerate(rows):
        if "n" in row:
            row["n"] = number
    path.write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))
    return folder


def first(rows, name, **values):
    """The first event with this name and these values."""
    return next(row for row in rows if row["ev"] == name and all(row[key] == value for key, value in values.items()))


def last(rows, name):
    return first(rows[::-1], name)


@each("name", [*SCENARIOS])
def test_shipped_recording_follows_the_models(name):
    found = checked(load(check.SHIPPED / name))
    assert found.problems == []
    assert {*found.followers, *found.pullers} == set(SCENARIOS[name].members)
    assert min(follower.compared for follower in found.followers.values()) >= 2


def test_recordings_with_grpc_members_are_told_from_others():
    assert not is_grpc(of_groups.FOLDER / "java-5.3.3" / "concurrent")
    assert is_grpc(SHIPPED)


def test_python_5_1_1_has_several_receive_loops_and_requests_for_one_queue():
    found = checked(load(SHIPPED))
    seen = {who: {} for who in LOOPS}
    for who, entry in found.loops:
        assert entry.q.endswith(":b0:-1")  # all queues of the broker
        assert entry.peak == entry.loops
        seen[who][entry.q.partition(":")[0]] = entry.loops
    assert seen == LOOPS
    text = "\n".join(lines("grpc_two_topics", found, FAULTS))
    assert "T1:b0:-1: receive loops: 3, concurrent requests: 3 (known fault: receiving.some.claim)\n" in text
    assert "T1:b0:-1: receive loops: 1, concurrent requests: 1\n" in text
    assert "Readers of T3:b0:-1: p1, p2" in text


def test_new_queue_of_a_topic_gives_python_5_1_1_another_loop_of_the_others():
    found = checked(load(check.SHIPPED / "grpc_join"))
    every = {(who, entry.q): (entry.loops, entry.peak) for who, entry in found.loops}
    wanted = {(who, f"T1:b0:{number}"): (1, 1) for who in ("j0", "p0", "p1") for number in range(3)}
    assert every == wanted | {("p0", "T1:b0:0"): (2, 2), ("p0", "T1:b0:1"): (2, 2)}


def test_messages_of_a_killed_member_come_again():
    found = checked(load(check.SHIPPED / "grpc_crash"))
    assert found.again
    assert not found.unfinished
    (line,) = (one for one in lines("grpc_crash", found, FAULTS) if "Unfinished" in one)
    assert line == "  Unfinished messages of a killed member: 3, received again 121.5 s after the kill"
    several = replace(found, again={"T1-1": 30_000, "T1-2": 121_500, "T1-3": 90_000})
    assert any("3, received again 30.0 to 121.5 s after" in one for one in lines("grpc_crash", several, FAULTS))


def test_group_with_two_brokers_is_followed_through_their_restarts():
    """b1 ends and comes back, and then the proxy: queries fail, and each client drops and creates process queues."""
    found = checked(load(check.SHIPPED / "grpc_brokers"))
    assert {entry.q for _, entry in found.loops} == {f"{topic}:{b}:-1" for topic in ("T1", "T2") for b in ("b0", "b1")}
    for who in found.followers:
        names = [name for name, _ in found.recording.events[who]]
        assert names.count("failed") > 10
        assert names.count("drop") >= 2
        assert names.count("create") == 6
    loops = {who: max(entry.loops for name, entry in found.loops if name == who) for who in found.followers}
    assert loops == {"j0": 1, "p0": 6, "p1": 1}


def test_remoting_member_that_pulls_shares_each_message_with_grpc_members():
    """gRPC members count as consumers for AVG, and still get all queues, those of r0 several times."""
    found = checked(load(check.SHIPPED / "grpc_mixed"))
    assert (found.pullers["r0"].shares["T1"].mine, found.pullers["r0"].compared) == (("T1:b0:0", "T1:b0:1"), 3)
    assert found.pullers["r0"].shares["T1"].consumers == 3
    assert shared(found, "r0") == (29, 29, 26)
    assert shared(found, "r1") == (47, 0, 0)  # it pops
    text = "\n".join(lines("grpc_mixed", found, FAULTS))
    assert (
        "  r0 (remoting Java 4.9.8): 3 shares compared\n    T1: T1:b0:0, T1:b0:1 of 4 queues for 3 consumers\n" in text
    )
    assert "first deliveries: 29, also to gRPC members: 29, to them more than once: 26\n" in text


def test_json_of_a_mixed_group_has_what_gRPC_members_get_too():
    found = checked(load(check.SHIPPED / "grpc_mixed"))
    first, second = of_run("grpc_mixed", found)["remoting"]
    share = {"topic": "T1", "queues": ["T1:b0:0", "T1:b0:1"], "of": 4, "consumers": 3}
    assert first == {"who": "r0", "shares": [share], "messages": 29, "to_grpc": 29, "to_grpc_again": 26}
    assert second == {"who": "r1", "shares": [], "messages": 47, "to_grpc": 0, "to_grpc_again": 0}
    assert of_run("grpc_join", checked(load(check.SHIPPED / "grpc_join")))["remoting"] == []


def other_share(rows):
    last(rows, "share")["mine"].pop()


def other_place(rows):
    last(rows, "share")["place"] = -1


def not_in_share(rows):
    first(rows, "message")["q"] = "T1:b0:3"


@each(
    "alter,why",
    [
        (other_share, "it allocates T1:b0:0, and T1:b0:0, T1:b0:1 in the model"),
        (other_place, "it allocates T1:b0:0, T1:b0:1, and no queue in the model"),
        (not_in_share, "the listener gets a message of T1:b0:3, which is not in its shares"),
    ],
)
def test_altered_share_of_a_remoting_member_is_rejected(alter, why, tmp_path):
    found = checked(load(altered(tmp_path / "altered", "r0", alter, "grpc_mixed")))
    assert [problem.who for problem in found.problems] == ["r0"]
    assert why in str(found.problems[0])


def never_restarted(rows):
    rows.remove(first(rows, "start-server", of="b1"))


def never_stopped(rows):
    rows.remove(first(rows, "stop-server", of="b1"))
    rows.remove(first(rows, "start-server", of="b1"))


@each("alter,why", [(never_restarted, "the proxy assigns T1:b0:-1, T1:b1:-1"), (never_stopped, "assigns T1:b0:-1")])
def test_assignments_of_other_brokers_are_rejected(alter, why, tmp_path):
    found = checked(load(altered(tmp_path / "altered", "driver", alter, "grpc_brokers")))
    assert any(problem.text.endswith(why) for problem in found.problems)


def request_after_drop(rows):
    """One more request of a dropped process queue; a limited number of them may have waited for a thread."""
    at = rows.index(next(row for row in rows if row["ev"] == "end"))
    rows[at + 1 : at + 1] = [{**rows[at], "ev": "receive"} for _ in range(3)]


@each("who", ["p0", "p1"])
def test_requests_of_a_dropped_process_queue_are_rejected(who, tmp_path):
    found = checked(load(altered(tmp_path / "altered", who, request_after_drop, "grpc_brokers")))
    assert any("receive of process queue" in problem.text for problem in found.problems)


def no_begin(rows):
    rows.remove(last(rows, "begin"))


def more_loops(rows):
    rows.insert(rows.index(first(rows, "table")), dict(first(rows, "begin")))


def left_out(rows):
    last(rows, "table")["table"].popitem()


def other_table(rows):
    row = last(rows, "table")["table"]
    row["T1:b1:-1"] = row.pop("T1:b0:-1")


def empty_answer(rows):
    first(rows, "answer")["queues"] = []


def single_queue(rows):
    for row in rows:
        if row["ev"] == "answer" and row["topic"] == "T2":
            row["queues"] = ["T2:b0:0"]


def drops(rows):
    at = rows.index(first(rows, "received", p=1))
    rows.insert(at, {**first(rows, "begin", p=1), "ev": "drop", "at": rows[at]["at"]})


def ends(rows):
    rows.insert(rows.index(last(rows, "answer")), {**first(rows, "begin"), "ev": "end"})


def fewer_requests(rows):
    """Each request of the first process queue waits until the one before has ended."""
    waiting, flying = [], False
    for row in [*rows]:
        if row.get("p") == 1 and row["ev"] == "receive":
            if flying:
                rows.remove(row)
                waiting.append(row)
            flying = True
        elif row.get("p") == 1 and row["ev"] == "received":
            flying = bool(waiting)
            if waiting:
                rows.insert(rows.index(row) + 1, {**waiting.pop(), "at": row["at"]})


def more_requests(rows):
    rows.insert(rows.index(first(rows, "receive")), dict(first(rows, "receive")))


def ended_twice(rows):
    for row in [row for row in rows if row["ev"] == "receive"]:
        rows.remove(row)


def not_received(rows):
    first(rows, "message")["key"] = "T1-9999"


def begins_after_shutdown(rows):
    rows.append({**first(rows, "begin"), "at": rows[-1]["at"]})


def receives_after_shutdown(rows):
    receive = {**first(rows, "receive"), "at": rows[-1]["at"]}
    rows += [receive, {**receive, "ev": "received", "keys": []}]


@each(
    "who,alter,why",
    [
        ("p1", no_begin, "has 0 receive loops, and 1 in the model"),
        ("p1", more_loops, "has 2 receive loops, and 1 in the model"),
        ("j0", more_loops, "has 2 receive loops, and 1 in the model"),
        ("p0", left_out, "is in the model table only"),
        ("j0", left_out, "is in the model table only"),
        ("p0", other_table, "T1:b0:-1 is in the model table only"),
        ("p0", empty_answer, "the proxy assigns no queue of T1"),
        ("p2", empty_answer, "is in the recorded table only"),
        ("j0", empty_answer, "is in the recorded table only"),
        ("p2", single_queue, "the proxy assigns T2:b0:0"),
        ("p1", drops, "receive of process queue 1, which is dropped"),
        ("p1", ends, "ends, which is not dropped"),
        ("p1", fewer_requests, "had at most 1 receive requests in flight, and 3 receive loops"),
        ("p1", more_requests, "has 4 requests, and 3 loops"),
        ("j0", ended_twice, "ends a request that it has not begun"),
        ("p2", not_received, "the listener gets the message T1-9999, which was not received"),
        ("p0", begins_after_shutdown, "a receive loop of T1:b0:-1 begins, but the client is shut down"),
        ("p0", receives_after_shutdown, "a request of T1:b0:-1 succeeds, but the client is shut down"),
    ],
)
def test_altered_recording_is_rejected(who, alter, why, tmp_path):
    found = checked(load(altered(tmp_path / "altered", who, alter)))
    assert any(why in str(problem) for problem in found.problems), found.problems[:5]


@each("who,other", [("p0", "5.1.2"), ("p1", "5.1.2"), ("p2", "5.1.1")])
def test_model_of_another_version_is_rejected(who, other, tmp_path):
    def renamed(rows):
        first(rows, "join", of=who)["version"] = other

    found = checked(load(altered(tmp_path / "altered", "driver", renamed)))
    assert {problem.who for problem in found.problems} == {who}
    assert any("in the model" in problem.text for problem in found.problems)


@each("who", ["j0", "p0", "p1"])
def test_assignment_of_some_queues_of_an_ordered_group_is_rejected(who, tmp_path):
    def fewer(rows):
        last(rows, "answer")["queues"].pop()

    found = checked(load(altered(tmp_path / "altered", who, fewer, "grpc_join")))
    assert any("the proxy assigns T1:b0:0, T1:b0:1" in problem.text for problem in found.problems)
    assert any("T1:b0:2 is in the recorded table only" in problem.text for problem in found.problems)


def test_message_without_a_finished_listener_is_reported(tmp_path):
    def unfinished(rows):
        rows.remove(first(rows, "done"))

    found = checked(load(altered(tmp_path / "altered", "p2", unfinished)))
    assert [problem.who for problem in found.unfinished] == ["p"]


def test_time_until_a_killed_members_messages_come_again_is_measured(tmp_path):
    """p0 is killed in the middle of a message, which j0 gets 15 s later."""
    key, at = "T1-9999", []

    def killed(rows):
        begun = last(rows, "received")
        begun["keys"] = [key]
        at.append(begun["at"])

    folder = altered(tmp_path / "one", "p0", killed)
    rows = [json.loads(line) for line in gzip.decompress((folder / "j0.jsonl.gz").read_bytes()).splitlines()]
    more = {"at": at[0] + 15_000, "who": "j0"}
    rows.append({**more, "ev": "message", "key": key, "attempt": 2, "n": len(rows)})
    (folder / "j0.jsonl.gz").write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))
    driver = gzip.decompress((folder / "driver.jsonl.gz").read_bytes()).decode().splitlines()
    signal = {"at": at[0], "who": "driver", "ev": "signal", "of": "p0", "signal": "SIGKILL"}
    driver.insert(-1, json.dumps(signal))
    (folder / "driver.jsonl.gz").write_bytes(gzip.compress("\n".join([*driver, ""]).encode()))
    assert checked(load(folder)).again == {key: 15_000}


def unknown_event(rows):
    first(rows, "answer")["ev"] = "reply"


def unknown_key(rows):
    first(rows, "answer")["more"] = 1


def other_name(rows):
    first(rows, "answer")["who"] = "p9"


def no_time(rows):
    first(rows, "answer")["at"] = "now"


def unknown_queue(rows):
    first(rows, "receive")["p"] = 99


def unknown_entry(rows):
    first(rows, "table")["table"]["T1:b0:-1"] = 99


@each(
    "alter,why",
    [
        (unknown_event, "unknown event 'reply'"),
        (unknown_key, "which is not known"),
        (other_name, "but the file belongs to p1"),
        (no_time, "not a number"),
        (unknown_queue, "a process queue that was not created"),
        (unknown_entry, "a process queue that was not created"),
    ],
)
def test_malformed_recording_is_refused(alter, why, tmp_path):
    with pytest.raises(RecordingError, match=why.replace("'", ".")):
        checked(load(altered(tmp_path / "altered", "p1", alter)))


def long_ago(rows):
    rows[2]["at"] = 1


def in_future(rows):
    rows[2]["at"] = 1 << 60


def long_ago_begun(rows):
    rows[0]["at"] = 1


def no_end(rows):
    rows.remove(last(rows, "end"))


def not_joined(rows):
    rows.remove(first(rows, "join", of="p1"))


def cut(rows):
    del rows[-30:]


def emptied(rows):
    rows.clear()


@each(
    "who,alter,why",
    [
        ("p1", long_ago, r"p1, event 3 \(create\): the time 1 is not within"),
        ("driver", long_ago, r"driver, event 3 \(artifact\): the time 1 is not within"),
        ("p", in_future, "is not within the recording"),
        ("driver", long_ago_begun, "a time of the driver is wrong"),
        ("driver", no_end, "the driver has no event end; the recording is not complete"),
        ("driver", not_joined, "p1 has events, but the driver did not start it"),
        ("p2", cut, "p2 has no event shutdown-end"),
        ("p", cut, "p has no event stopped"),
        ("j0", emptied, "j0 has no events, but the driver started it"),
    ],
)
def test_damaged_recording_is_refused(who, alter, why, tmp_path):
    with pytest.raises(RecordingError, match=why):
        load(altered(tmp_path / "altered", who, alter))


@each("who", ["p", "p1", "j0"])
def test_missing_file_is_refused(who, tmp_path):
    folder = altered(tmp_path / "altered", "p", lambda rows: None)
    (folder / f"{who}.jsonl.gz").unlink()
    with pytest.raises(RecordingError, match=f"{who} has no events, but the driver started it"):
        load(folder)


def test_missing_line_is_refused(tmp_path):
    folder = altered(tmp_path / "altered", "p1", lambda rows: None)
    texts = gzip.decompress((folder / "p1.jsonl.gz").read_bytes()).splitlines(keepends=True)
    (folder / "p1.jsonl.gz").write_bytes(gzip.compress(b"".join([*texts[:5], *texts[6:]])))
    with pytest.raises(RecordingError, match="but 5 is next"):
        load(folder)


@each("client,version", [("rocketmq-python-client", "9.9.9"), ("rocketmq-client-java", "5.9.0"), ("go", "5.1.4")])
def test_client_without_a_model_is_refused(client, version):
    with pytest.raises(RecordingError, match="is not modelled"):
        check.model(client, version)


def test_scenarios_name_their_own_members_and_topics():
    for one in SCENARIOS.values():
        joined = {who for step in one.steps if step.do in ("join", "kill", "shutdown") for who in step.of}
        assert joined == set(one.members)
        servers = {who for step in one.steps if step.do.endswith("-server") for who in step.of}
        assert servers <= {"x", *(f"b{number}" for number in range(one.brokers))}
        assert {topic for member in one.members.values() for topic in member.topics} == set(one.topics)
        grpc = [member for member in one.members.values() if member.client != REMOTING]
        assert all(check.model(member.client, member.version) for member in grpc)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is missing, which downloads the proxy")
@each("name", [*SCENARIOS])
def test_real_group_follows_the_models(name, tmp_path):
    one = SCENARIOS[name]
    run(one, setup("java", "5.5.0", "--release", [one]), tmp_path / name, print)
    found = checked(load(tmp_path / name))
    assert found.problems == []
    assert all(follower.compared for follower in found.followers.values())
