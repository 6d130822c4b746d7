"""Real groups are accepted, and held by every machine."""

import pytest

from rebalance_proofs.recorded.cluster.judge import CHECKS
from tests.each import each
from tests.recorded.cluster.traces import SMALL, held, trace, whys
from tests.recorded.groups.seen import SCENARIOS, YOUNGER

LONG = {"java-4.9.8/lost_locks", "java-4.9.8/lost_requests", "java-4.9.8/premises", "java-5.3.3/premises"}
YOUNGER_AND_SMALL = sorted(YOUNGER - LONG)


@each("scenario", [*SMALL, *YOUNGER_AND_SMALL])
def test_what_happened_is_possible(scenario):
    verdict = held(trace(scenario))
    assert verdict.rejections == []
    assert verdict.accepted


@pytest.mark.slow
@each("scenario", sorted({*SCENARIOS, *YOUNGER} - {*SMALL, *YOUNGER_AND_SMALL}))
def test_so_it_is_in_long_recordings(scenario):
    assert held(trace(scenario)).rejections == []


@each(
    "scenario, machine",
    [
        ("java-4.9.8/premises", "settling"),  # threads that wait since before the broker went
        ("java-5.3.3/premises", "subscriptions"),  # others' heartbeats come first to a broker that is back
    ],
)
def test_so_it_is_behind_a_broker_that_was_killed(scenario, machine):
    assert whys(trace(scenario), machine) == []


def test_a_message_that_is_called_anew_while_an_older_call_goes_on():
    """A topic is unsubscribed under its listener, and subscribed again."""
    assert whys(trace("java-4.9.8/premises"), "offsets") == []


def test_every_machine_has_held_something():
    verdict = held(trace("java-4.9.8/o_shutdown_ordered"))
    assert [tally.machine for tally in verdict.tallies] == list(CHECKS)
    assert all(tally.events > 20 and tally.about for tally in verdict.tallies)


def test_slack_is_counted():
    """Hidden steps and widened bounds are told, and are few beside the events."""
    verdict = held(trace("java-4.9.8/l_delayed_unlock"))
    widened = sum(tally.widened for tally in verdict.tallies)
    assert 0 < widened < verdict.lines / 100
    assert max(tally.most_states for tally in verdict.tallies) < 100


def test_actions_that_were_seen():
    shown = {name for tally in held(trace("java-4.9.8/o_shutdown_ordered")).tallies for name in tally.shown}
    assert {"begins", "finds", "unregisters", "locks", "renews", "starts", "gives_back", "clears", "returned"} <= shown
