"""Pauses of recorded groups lie within the times that are promised for two events in a row."""

from pathlib import Path

import pytest

from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.recorded.groups.run import Run, all_shipped
from rebalance_proofs.recorded.seen.facts import Pause, pauses
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.explain import explain
from rebalance_proofs.report.ordered.two_events import CONCURRENT, PAUSE, composed, ordered_clients, paused

FOLDER = Path(__file__).parent / "recordings"
ROLLING, FROZEN = Run(FOLDER / "rolling_new-4.9.8"), Run(FOLDER / "brokerstop-4.9.8")
FREEZE = 75_000
"""Time in ms for which the broker of ``FROZEN`` was frozen."""


def test_left_lock_explains_the_pauses_of_a_rolling_restart():
    history = History(ROLLING)
    longest = [one for one in explain(history, list(pauses(history))) if one.fact.ms > 50_000]
    assert len(longest) == 3
    assert {one.found.cause.name for one in longest} == {"lock-left-at-shutdown"}


def test_pauses_of_a_rolling_restart_exceed_the_old_promise_only():
    longest = max(pause.ms for pause in pauses(History(ROLLING)))
    alone = ordered_clients()["java_v4_9"].pauses[Way.SHUT.name] * TICK
    assert alone < longest <= composed("java_v4_9").around("join", "shutdown", PAUSE) * TICK


def test_ordered_pauses_of_shipped_groups_are_within_two_events():
    """Groups that were set up wrong, or whose broker was away, are explained otherwise."""
    elsewise = {"not-subscribed", "same-client-id", "broker-comes-back", "subscription-not-latest", "listener-blocks"}
    checked = 0
    ordered = {
        name: run for name, run in all_shipped().items() if any(one.mode == "ordered" for one in run.consumers.values())
    }
    for name, run in ordered.items():
        history = History(run)
        facts = [fact for fact in pauses(history) if history.ordered(fact.group)]
        for one in explain(history, facts):
            if one.found and one.found.cause.name not in elsewise:
                release = history.version(next(iter(history.groups[one.fact.group])))
                client = composed(of_version(release).name)
                within = client.around("join", "crash", PAUSE)
                assert one.fact.ms <= within * TICK, (name, one)
                checked += 1
    assert checked >= 40


@pytest.mark.parametrize(("group", "name"), [("C", CONCURRENT), ("O", "java_v4_9")])
def test_pauses_around_a_frozen_broker_are_within_two_events(group, name):
    """Members join, and the broker is frozen: the pause of 246 s includes 75 s in which the broker is frozen."""
    found = max(pause.ms for pause in pauses(History(FROZEN)) if pause.group == group)
    bound = composed(name).around("join", "broker-frozen", PAUSE) * TICK
    assert 120_000 < found <= bound + FREEZE
    assert bound < 300_000


def test_two_events_never_take_less_than_one():
    for name in (*ordered_clients(), CONCURRENT):
        of = composed(name)
        for (first, second), times in of.pairs.items():
            for measure, time in enumerate(times):
                alone = max(of.single[event][measure] for event in (first, second))
                assert NEVER_ENDS not in (alone, time)
                assert time >= alone


@pytest.mark.parametrize("way", Way)
def test_bound_of_a_cause_is_not_below_one_change_of_the_owner(way):
    for name, client in ordered_clients().items():
        assert paused(name, way) >= client.pauses[way.name]


def test_recorded_pause_is_counted():
    assert any(isinstance(one, Pause) for one in pauses(History(ROLLING)))
