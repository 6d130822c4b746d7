"""Monitors of receive loops: what recordings with gRPC members and compared packages show about claims."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.model.receiving.sdks import (
    CppPushConsumer,
    GoPushConsumer,
    NodePushConsumer,
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    RustPushConsumer,
)
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.grpc.check import SHIPPED, checked, shipped
from rebalance_proofs.recorded.grpc.events import load
from rebalance_proofs.recorded.packages.__main__ import SDKS
from rebalance_proofs.recorded.packages.install import package
from rebalance_proofs.recorded.packages.steps import number
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.conformance import How
from rebalance_proofs.report.groups_seen import groups_seen
from rebalance_proofs.report.reality.monitors.receiving import Loops, Step, recorded, sequences, told
from rebalance_proofs.report.reality.pin import row_of_members, row_of_package, text_of_sdks, written
from rebalance_proofs.report.reality.told import OF_SDKS, Pinned, compared_sdks, recorded_sdks, releases
from rebalance_proofs.report.released.table import sdks
from tests.each import each
from tests.recorded.grpc.test_check import altered, first, last, more_loops, no_begin

QUEUE, REST = ("T", 0), ("T", 1)
NONE, ONE = Loops({}), Loops({QUEUE: 1})
STEP = Step("answer", "T", frozenset((QUEUE,)), ONE, ONE, {QUEUE: "T", REST: "T", ("U", 0): "U"})


def shown(subject, *steps):
    """Claim without its subject -> (chances, events), if there was a chance."""
    every = [one for one in told(subject, steps) if one.chances]
    return {one.claims[0].id.removeprefix(f"receiving.{subject}."): (one.chances, len(one.bad)) for one in every}


def test_second_loop_and_lost_loop_are_events_of_an_answer():
    assert shown("java", STEP) == {"one-loop": (1, 0), "received": (1, 0)}
    assert shown("java", replace(STEP, after=Loops({QUEUE: 1}, {QUEUE: 1})))["one-loop"] == (1, 1)
    assert shown("java", replace(STEP, after=NONE)) == {"one-loop": (1, 0), "received": (1, 1)}
    assert shown("java", replace(STEP, before=NONE, after=Loops({QUEUE: 2})))["one-loop"] == (1, 1)


def test_queue_that_is_not_in_an_answer_must_have_no_loop():
    without = replace(STEP, queues=frozenset((REST,)), after=Loops({REST: 1}))
    assert shown("java", without) == {"one-loop": (2, 0), "received": (1, 0), "let-go": (1, 0)}
    assert shown("java", replace(without, after=Loops({REST: 1}, {QUEUE: 1})))["let-go"] == (1, 1)
    empty = replace(STEP, queues=frozenset(), after=NONE)
    assert shown("java", empty) == {"one-loop": (1, 0), "emptied": (1, 0)}
    assert shown("java", replace(empty, after=ONE))["emptied"] == (1, 1)


def test_other_topic_is_touched_by_a_begun_or_ended_loop():
    of_other = replace(STEP, topic="U", queues=frozenset())
    assert shown("java", of_other) == {"one-loop": (1, 0), "apart": (1, 0)}
    for after in (NONE, Loops({QUEUE: 2})):
        assert shown("java", replace(of_other, after=after))["apart"] == (1, 1)


def test_failed_query_drops_a_process_queue_or_not():
    failed = replace(STEP, kind="fail", queues=frozenset())
    assert shown("go", failed) == {"unharmed": (1, 0)}
    assert shown("go", replace(failed, after=Loops({}, {QUEUE: 1}))) == {"unharmed": (1, 1)}  # its loop goes on


def test_claims_without_an_assumption_count_only_when_it_failed():
    stuck = replace(STEP, before=Loops({QUEUE: 0}), stuck=frozenset((QUEUE,)))
    assert shown("java", stuck) == {"one-loop": (1, 0), "received.without-progress": (1, 0)}
    late = replace(STEP, running=False, after=NONE)
    assert shown("java", late)["stopped"] == (1, 0)
    assert "stopped" not in shown("node", late)
    assert shown("node", late)["stopped.without-in-time"] == (1, 0)
    of_topic = replace(STEP, kind="unsubscribe", queues=frozenset(), after=NONE)
    assert shown("python_v5_1_2", of_topic) == {"unsubscribed": (1, 0)}
    assert shown("python_v5_1_2", replace(of_topic, late=frozenset("T"))) == {"unsubscribed.without-in-time": (1, 0)}
    unsubscribed = replace(STEP, subscribed=False, after=NONE)
    assert shown("python_v5_1_2", unsubscribed)["unsubscribed.without-in-time"] == (1, 0)
    assert "unsubscribed" not in shown("java", unsubscribed)


def of(name, alter=None, who="", folder=None):
    return checked(load(altered(folder, who, alter, name) if alter else SHIPPED / name))


def test_recording_shows_each_second_loop_once():
    """p0 begins one with its second topic, p1 three with its second and third."""
    found = of("grpc_two_topics")
    steps = {who: shown("python_v5_1_1", *recorded(found, who)) for who in ("p0", "p1")}
    assert [steps[who]["one-loop"][1] for who in ("p0", "p1")] == [1, 3]
    assert [steps[who]["apart"][1] for who in ("p0", "p1")] == [1, 3]


def test_process_that_ends_with_its_shutdown_shows_nothing_about_it(tmp_path):
    """A loop could only go on in a process that still runs. A queue with a request in flight shows nothing, either."""
    assert "stopped" not in shown("java", *recorded(of("grpc_join"), "j0"))

    def goes_on(rows):
        end = last(rows, "shutdown-end")
        rows.remove(end)
        rows.insert(rows.index(last(rows, "received")), end)

    found = of("grpc_join", goes_on, "j0", tmp_path / "on")
    assert shown("java", *recorded(found, "j0"))["stopped"] == (2, 0)


def fails(rows):
    at = rows.index(last(rows, "answer"))
    rows.insert(at, {**rows[at], "ev": "failed"})
    del rows[at]["queues"]
    rows.remove(last(rows, "answer"))
    rows.remove(last(rows, "table"))


def fails_and_drops(rows):
    fails(rows)
    failed = first(rows, "failed")
    p = next(p for queue, p in last(rows, "table")["table"].items() if queue.startswith(failed["topic"]))
    rows.insert(rows.index(failed) + 1, {**first(rows, "begin", p=p), "ev": "drop", "at": failed["at"]})


def lets_go(rows):
    """The last answer has no queue of b0, and its process queue is dropped, but sends another request."""
    answer, table = last(rows, "answer"), last(rows, "table")
    answer["queues"] = [queue.replace("b0", "b1") for queue in answer["queues"]]
    table["table"] = {}
    rows.insert(rows.index(table), {**first(rows, "begin"), "ev": "drop", "at": table["at"]})
    rows.insert(rows.index(table) + 1, {**first(rows, "receive"), "at": table["at"]})


@each(
    "name,who,alter,broken",
    [
        ("grpc_two_topics", "j0", more_loops, "one-loop"),
        ("grpc_two_topics", "j0", no_begin, "received"),
        ("grpc_two_topics", "j0", fails_and_drops, "unharmed"),
        ("grpc_crash", "j0", lets_go, "let-go"),
    ],
)
def test_contradicted_claim_is_broken_in_its_row(name, who, alter, broken, tmp_path):
    row = row_of_members(of(name, alter, who, tmp_path / "altered"))
    assert f"receiving.java.{broken}" in row["broken"]
    assert not any(row["accepted"]["receiving"]["java"].values())


def test_failed_query_of_a_recording_is_a_chance(tmp_path):
    row = row_of_members(of("grpc_two_topics", fails, "j0", tmp_path / "altered"))
    assert [*row["kept"]["receiving.java.unharmed"].values()] == [1]


@each(
    "subject,made,broken",
    [
        ("java", GoPushConsumer, {"one-loop", "let-go", "emptied", "unharmed"}),
        ("java", NodePushConsumer, {"stopped"}),
        ("java", RustPushConsumer, {"apart"}),
        ("java", CppPushConsumer, {"emptied"}),
        ("python_v5_1_1", PythonPushConsumerV5_0, {"received", "let-go", "emptied", "unsubscribed"}),
        ("python_v5_1_2", PythonPushConsumerV5_1_1, {"one-loop", "received.without-progress", "apart"}),
        ("python_v5_1_2", PushConsumer, {"unsubscribed", "unsubscribed.without-in-time", "received.without-progress"}),
    ],
)
def test_other_client_breaks_proved_claims(subject, made, broken):
    found = shown(subject, *sequences(made, 3))
    proved = {name for name in found if LEDGER.named(f"receiving.{subject}.{name}").holds}
    assert broken <= {name for name in proved if found[name][1]}


def test_no_recording_and_no_package_contradicts_a_proved_claim():
    assert not any(one.broken for one in (*recorded_sdks().values(), *compared_sdks().values()))
    assert {*recorded_sdks()} == {*shipped()}
    assert {*compared_sdks()} == {str(package(words)) for words in SDKS}


def test_every_package_was_compared_in_all_sequences_of_six_steps():
    assert {(one["steps"], one["sequences"], one["differ"]) for one in sdks()} == {(6, number(6), 0)}


def test_pinned_rows_of_recordings_and_of_a_package_equal_their_sources():
    now = {name: row_of_members(checked(load(folder))) for name, folder in shipped().items()}
    assert json.loads(written(now)) == json.loads(written({name: vars(one) for name, one in recorded_sdks().items()}))
    node = package("rocketmq-client-nodejs==1.0.8")
    assert json.loads(written({str(node): row_of_package(node, 6, 481_329)}))[str(node)] == json.loads(
        json.dumps(vars(compared_sdks()[str(node)]))
    )


@pytest.mark.slow
def test_pinned_file_is_up_to_date():
    from importlib.resources import files

    assert files("rebalance_proofs.report.reality").joinpath(OF_SDKS).read_text(encoding="utf-8") == text_of_sdks()


def test_every_claim_about_a_compared_client_is_observed_or_tested():
    for claim in LEDGER:
        if claim.kind == "receiving":
            here = {one for row in compared_sdks().values() for one in row.releases}
            compared = bool(here & {*releases(claim.subjects[0])})
            mark = groups_seen(claim).mark
            assert (mark in (Mark.SEEN, Mark.FEW, Mark.TESTED)) == compared, claim.id


def test_tested_claim_says_what_packages_did():
    go = groups_seen(LEDGER.named("receiving.go.unharmed"))
    assert (go.mark, go.how, go.releases) == (Mark.TESTED, How.HAPPENED, ("gRPC Go 5.1.3", "gRPC Go 5.1.4"))
    assert go.words.startswith(
        "Tested: it happened in packages of gRPC Go 5.1.3 and 5.1.4 with a stubbed network: a failed query dropped a "
        "process queue with a receive loop ("
    )
    assert go.words.endswith("times in 2 packages). Model and packages agree in 962,658 sequences of steps.")
    java = groups_seen(LEDGER.named("receiving.java.emptied"))
    assert java.words.startswith(
        "Tested: packages of gRPC Java 5.0.8, 5.1.0 and 5.2.0 with a stubbed network never broke it: in none of "
    )
    assert java.behind[0].startswith("never broken in packages of gRPC Java 5.0.8, 5.1.0 and 5.2.0 with a stubbed")


def test_recorded_claim_is_observed_although_packages_show_it_too():
    found = groups_seen(LEDGER.named("receiving.python_v5_1_1.one-loop"))
    assert found.mark is Mark.SEEN
    assert found.words.startswith("Observed: it happened in recorded groups of gRPC Python 5.1.1: an answer began a ")


def test_package_that_contradicts_a_claim_does_not_show_it():
    name = "receiving.go.received"
    (row,) = [one for one in compared_sdks().values() if "gRPC Go 5.1.4" in one.releases]
    wrong = Pinned(**{**vars(row), "broken": {name: {"an event": 1}}})
    assert groups_seen(LEDGER.named(name), {"go": wrong}).mark is Mark.ACCEPTED
