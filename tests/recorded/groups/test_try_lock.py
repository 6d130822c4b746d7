"""Queues removed while their listeners run: the rebalance waits for one after the other."""

from itertools import pairwise

from rebalance_proofs.model.machines.settling.actions import DEFAULTS
from rebalance_proofs.model.transition.generations import V4_9_8, V5_2
from rebalance_proofs.recorded.groups.member import Allocate, Entry
from tests.recorded.groups.seen import recorded_run


def test_client_4_9_8_waits_for_each_queue_before_marking_the_next():
    run = recorded_run("java-4.9.8/c2_ordered_long")
    looks = [look.at for look in run.of(Entry, "c0") if look.dropped and look.in_table and look.at < 80_000]
    assert len(looks) == 4
    waited = [later - at for at, later in pairwise(looks)]
    assert all(0 <= ms - V4_9_8.rules.try_lock < 60 for ms in waited), waited


def test_client_5_3_3_marks_all_queues_before_waiting():
    """Its timer begins when the rebalance ends."""
    run = recorded_run("java-5.3.3/ordered_all")
    looks = [look.at for look in run.of(Entry, "O25c0") if look.dropped and 172_000 < look.at < 173_000]
    assert len(looks) == 4
    assert max(looks) - min(looks) < 10
    rebalances = [event.at for event in run.of(Allocate, "O25c0") if event.topic == "T1"]
    began = max(at for at in rebalances if at <= looks[0])
    after = min(at for at in rebalances if at > looks[0])
    assert 0 <= after - began - DEFAULTS.wait - 4 * V5_2.rules.try_lock < 200
