"""A scenario with a real RocketMQ, whose class path is in the variable ROCKETMQ_CLASSPATH."""

import os

import pytest

from rebalance_proofs.model.own.java import classpath
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table
from rebalance_proofs.recorded.groups.member import Allocate, Answer, Ask, Begin, Entry, EntryNew, Notified, Pulled
from rebalance_proofs.recorded.groups.run import Run
from rebalance_proofs.recorded.live.distribution import CLIENT, SERVERS, distribution
from rebalance_proofs.recorded.live.read import scenario
from rebalance_proofs.recorded.live.run import Setup, run
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Never
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.explain import explain

VARIABLE = "ROCKETMQ_CLASSPATH"
SHORT = {
    "about": "Two members of an ordered and a concurrent group; one of each is killed.",
    "steps": [
        {"do": "join", "of": ["c0", "o0"], "then": 5},
        {"do": "join", "of": ["c1", "o1"], "then": 15},
        {"do": "delay", "ms": 200, "for": 5},
        {"do": "kill", "of": ["c1", "o1"], "then": 2},
    ],
    "members": {
        "c0": {},
        "c1": {},
        "o0": {"group": "GO", "mode": "ordered"},
        "o1": {"group": "GO", "mode": "ordered"},
    },
}
TAKEN = (Allocate, Answer, Answered, Ask, Begin, Entry, EntryNew, Heard, Notified, Pulled, Table)


@pytest.mark.slow
@pytest.mark.skipif(VARIABLE not in os.environ, reason=f"{VARIABLE} names no RocketMQ")
def test_real_group_is_recorded_and_explained(tmp_path):
    java = classpath.find_java(8)
    found = distribution(os.environ[VARIABLE], java, CLIENT + SERVERS, VARIABLE)
    assert run(scenario(SHORT, "short"), Setup(java.path, found, found), tmp_path / "short", print)
    history = History(Run(tmp_path / "short"))
    assert history.cannot == ()
    assert {history.release(who) for who in ("c0", "o1", "b0")} == {tuple(map(int, found.release.split(".")))}
    for kind in TAKEN:
        assert history.of(kind), kind.__name__
    every = explain(history, seen(history))
    assert not [one for one in every if one.unexplained or isinstance(one.fact, Never)]
