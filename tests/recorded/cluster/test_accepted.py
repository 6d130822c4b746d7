"""Real groups are accepted by every machine."""

from functools import cache

import pytest

from rebalance_proofs.recorded.cluster.judge import CHECKS, Verdict
from rebalance_proofs.report.reality.told import pinned
from tests.each import each
from tests.recorded.cluster.traces import SMALL, held, trace, whys
from tests.recorded.groups.seen import SCENARIOS, YOUNGER

LONG = {
    "java-4.9.8/lost_locks",
    "java-4.9.8/lost_requests",
    "java-4.9.8/premises",
    "java-5.3.3/lost_pulls",
    "java-5.3.3/mixed_ordered",
    "java-5.3.3/premises",
    "java-5.3.3/shutdowns",
}
ALIKE = {"java-4.9.4/broker_killed": "java-4.9.0/broker_killed", "java-4.9.7/broker_killed": "java-4.9.8/freeze"}
"""Recording of a release -> another one whose modelled clients are the same."""
YOUNGER_AND_SMALL = sorted(YOUNGER - LONG - ALIKE.keys())


@cache
def verdict_on(scenario: str) -> Verdict:
    return held(trace(scenario))


@each("scenario", [*SMALL, *YOUNGER_AND_SMALL])
def test_recorded_group_is_accepted(scenario):
    verdict = verdict_on(scenario)
    assert verdict.rejections == []
    assert verdict.accepted


@pytest.mark.slow
@each("scenario", sorted({*SCENARIOS, *YOUNGER} - {*SMALL, *YOUNGER_AND_SMALL}))
def test_long_recording_is_accepted(scenario):
    assert held(trace(scenario)).rejections == []


def test_recordings_left_to_slow_tests_have_the_clients_of_others():
    def clients(scenario):
        return {machine: [*events] for machine, events in pinned()[scenario].accepted.items()}

    for scenario, other in ALIKE.items():
        assert other in YOUNGER_AND_SMALL
        assert clients(scenario) == clients(other) != {}


@each(
    "scenario, machine",
    [
        ("java-4.9.8/premises", "settling"),  # threads that wait since before the broker went
        ("java-5.3.3/premises", "subscriptions"),  # others' heartbeats come first to a broker that is back
    ],
)
def test_recording_with_a_killed_broker_is_accepted(scenario, machine):
    assert whys(trace(scenario), machine) == []


def test_repeated_message_during_an_older_call_is_accepted():
    """A topic is unsubscribed while its listener runs, and subscribed again."""
    assert whys(trace("java-4.9.8/premises"), "offsets") == []


def test_every_machine_checks_something():
    verdict = verdict_on("java-4.9.8/o_shutdown_ordered")
    assert [tally.machine for tally in verdict.tallies] == list(CHECKS)
    assert all(tally.events > 20 and tally.about for tally in verdict.tallies)


def test_slack_is_counted():
    """Hidden steps and widened bounds are reported, and few compared with the events."""
    verdict = verdict_on("java-5.3.3/half_open")
    widened = sum(tally.widened for tally in verdict.tallies)
    assert 0 < widened < verdict.lines / 100
    assert max(tally.most_states for tally in verdict.tallies) < 100


def test_observed_actions_are_counted():
    shown = {name for tally in verdict_on("java-4.9.8/o_shutdown_ordered").tallies for name in tally.shown}
    assert {"begins", "finds", "unregisters", "locks", "renews", "starts", "gives_back", "clears", "unlocked"} <= shown
