"""Findings in groups of each model, against known answers and proofs."""

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.explorer import explore
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.explorer.standard import QUICK, SUBJECTS
from rebalance_proofs.spark_enum.explorer.subject import RANGES
from tests.spark_enum.explorer.exploring import gone_through

EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def found(explored):
    return {one.watch.name: len(one.steps) - 1 for one in explored.found}


def needed(explored, watch):
    (one,) = (one for one in explored.found if one.watch.name == watch)
    return one.needs.faults


def test_joiner_that_rebalances_first_pulls_another_consumers_queue():
    explored = gone_through("concurrent")
    assert found(explored) == {"two": 4, "twice": 10}
    assert [str(step.move) for step in explored.found[0].steps[1:]] == [
        "joins c0",
        "rebalances c0",
        "joins c1",
        "rebalances c1",
    ]
    assert explored.settled.within == 1


@pytest.mark.parametrize("client", ["4.9.8", pytest.param("5.1.4", marks=pytest.mark.slow), "5.3.3"])
def test_no_message_is_skipped(client):
    explored = gone_through("concurrent", queues=1, client=client, faults=tuple(concurrent.FAULTS))
    assert [watch.name for watch in explored.never] == ["skipped", "deadlock"]
    assert needed(explored, "two") == needed(explored, "twice") == ((),)
    assert not explored.idle


def test_single_consumer_repeats_uncommitted_messages():
    """Shut down while its listener runs, which returns after the offset was sent: no fault is needed."""
    explored = gone_through("concurrent", consumers=1, queues=1, faults=("crash",))
    assert found(explored) == {"twice": 11}
    assert needed(explored, "twice") == ((),)
    assert found(gone_through("concurrent", consumers=1, queues=1)) == {"twice": 11}


@pytest.mark.parametrize(
    ("settings", "steps", "claim"),
    [
        ({"client": "5.3.3"}, 15, "ordered.java_v5_2.exclusive.without-time"),
        ({"client": "5.3.3", "unlock": 4}, None, "ordered.java_v5_2.exclusive"),
        ({"client": "5.3.3", "listener": 0}, None, "ordered.java_v5_2.exclusive.renewed"),
        (
            {"client": "5.3.3", "unlock": 4, "faults": ("crash", "lost-notification")},
            None,
            "ordered.java_v5_2.exclusive",
        ),
        ({"client": "5.3.3", "unlock": 4, "faults": ("lost-renewal",)}, None, "ordered.java_v5_2.exclusive"),
        (
            {"client": "5.3.3", "unlock": 4, "faults": ("broker-restart",)},
            9,
            "ordered.java_v5_2.exclusive.without-restart",
        ),
        (
            {"client": "5.3.3", "unlock": 4, "faults": ("hard-shutdown",)},
            9,
            "ordered.java_v5_2.exclusive.without-shutdown",
        ),
        (
            {"client": "5.3.3", "unlock": 4, "faults": ("late-return",)},
            13,
            "ordered.java_v5_2.exclusive.without-overtaken",
        ),
        ({"client": "go"}, 11, "ordered.go.exclusive.without-shutdown"),
        ({"client": "5.1.4"}, 16, "ordered.java_v5_0.exclusive.without-return"),
        ({"client": "4.9.8"}, 16, "ordered.java_v4_9.exclusive.without-return"),
    ],
)
def test_two_listeners_are_found_where_claims_allow_them(settings, steps, claim):
    explored = gone_through("ordered", queues=1, settle=False, **settings)
    watch, deadlock = explored.model.watches
    assert watch.claims == (claim,)
    assert deadlock in explored.never
    assert found(explored) == ({"two-listeners": steps} if steps else {})
    assert EXPECTED[claim] is (Verdict.REFUTED if steps else Verdict.PROVED)


def test_model_says_where_shutdown_waits_for_listeners():
    """None does so by default, and Go's never do."""
    subject = SUBJECTS["ordered"]
    told = {
        (client, faults): subject.build(subject.settings(client=client, faults=faults)).sentence
        for client in ("5.2", "go")
        for faults in ((), ("hard-shutdown",))
    }
    waiting = {
        asked for asked, sentence in told.items() if "each shut down only while none of its listeners runs" in sentence
    }
    assert waiting == {("5.2", ())}


def test_several_dropped_premises_leave_no_claim():
    explored = gone_through(
        "ordered", queues=1, settle=False, unlock=4, faults=("broker-restart", "hard-shutdown"), most=12
    )
    assert explored.model.watches[0].claims == ()
    assert needed(explored, "two-listeners") == (("broker-restart",), ("hard-shutdown",))


def test_entry_that_stays_dropped_settles_last():
    """Two minutes without a pull, and the steps before and after them."""
    assert gone_through("ordered", queues=1).settled.within == 15


def test_every_claim_named_by_a_model_exists():
    for subject in SUBJECTS.values():
        for client in ("4.9.8", "5.1.4", "5.3.3") if "client" in subject.takes else (None,):
            model = subject.build(subject.settings(**({"client": client} if client else {})))
            watches = (*model.watches, *([model.right] if model.right else []))
            assert {claim for watch in watches for claim in watch.claims} <= EXPECTED.keys()


def test_faults_of_a_part_are_searched_within_the_states_of_the_whole(monkeypatch):
    """A part is explored quickly; whether it takes the fault is known only of the whole group without it."""
    told = {"client": "5.2", "queues": 1, "unlock": 4, "faults": ("hard-shutdown",)}
    subject = SUBJECTS["ordered"]
    settings = subject.settings(**told)
    monkeypatch.setattr(explore, "MANY", 3000)
    assert explore.needs(subject, settings, "two-listeners") is None
    monkeypatch.undo()
    assert explore.needs(subject, settings, "two-listeners") == explore.Needs((("hard-shutdown",),), 1)


def test_command_prints_the_recorded_numbers():
    """By the command; the standard groups are explored by separate code."""
    (group, *_) = QUICK
    told = group.subject.document(group.settings)
    explored = gone_through(group.model, **told | {"faults": group.settings.faults})
    recorded = read("quick")[group.name]
    assert (explored.states, explored.transitions) == (recorded.states, recorded.transitions)
    assert (len(explored.levels), f"{explored.digest:016x}") == (recorded.levels, recorded.digest)
    assert {name: recorded.steps[name] for name in found(explored)} == found(explored)
    assert recorded.settled == f"within {explored.settled.within} {explored.settled.counted}"


@pytest.mark.parametrize(
    ("name", "client", "settling"),
    [
        ("concurrent", "4.9.0", ["java_v4_9_to_v5_1"]),
        ("concurrent", "5.1.4", ["java_v4_9_to_v5_1", "java_v5_2_to_v5_3"]),
        ("ordered", "5.1.4", ["java_v4_9_to_v5_1"]),
        ("ordered", "5.2", ["java_v5_2_to_v5_3"]),
        ("ordered", "go", []),
    ],
)
def test_settling_is_claimed_of_all_modelled_clients(name, client, settling):
    right = SUBJECTS[name].build(SUBJECTS[name].settings(client=client)).right
    assert [claim for claim in right.claims if claim.startswith("settling.")] == [
        f"settling.{one}.settles" for one in settling
    ]


@pytest.mark.parametrize("name", ["listener", "lock", "unlock"])
def test_every_accepted_number_can_be_explored(name):
    least, most = RANGES[name]
    for number in range(least, most + 1):
        SUBJECTS["ordered"].build(SUBJECTS["ordered"].settings(client="5.2", **{name: number}))


@pytest.mark.parametrize(
    ("name", "fault"),
    [(module.SUBJECT.name, fault) for module in (concurrent, ordered) for fault in module.FAULTS],
)
def test_each_fault_adds_states(name, fault):
    without, explored = (
        gone_through(name, queues=1, settle=False, most=12, faults=faults) for faults in ((), (fault,))
    )
    assert explored.states > without.states
