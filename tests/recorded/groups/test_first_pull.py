"""Since 5.0 the first pull of a new entry waits 500 ms; up to 4.9.8 it does not."""

from bisect import bisect_left

import pytest

from rebalance_proofs.model.transition.generations import V4_9_8, V5_2
from tests.each import each
from tests.recorded.groups.seen import SCENARIOS, Seen, asked_of_broker, recorded_run

OF_5_3_3 = [scenario for scenario in SCENARIOS if scenario.startswith("java-5.3.3")]


def first_pulls(run: Seen, version: str) -> list[int]:
    """Milliseconds from each new entry of that release's clients to its first pull."""
    pulls = {key: [ask.at for ask in asked] for key, asked in run.pulls().items()}
    found = []
    for new, gone in run.entries():
        if run.version(new.who) == version:
            times = pulls.get((new.who, asked_of_broker(new.q)), [])
            place = bisect_left(times, new.at)
            if place < len(times) and (gone is None or times[place] <= gone):
                found.append(times[place] - new.at)
    return found


@each("scenario", OF_5_3_3)
def test_first_pull_of_5_3_3_waits_500_ms(scenario):
    assert min(first_pulls(recorded_run(scenario), "5.3.3")) >= V5_2.rules.pull_delay == 500


def test_first_pulls_of_200_entries_are_recorded():
    assert sum(len(first_pulls(recorded_run(scenario), "5.3.3")) for scenario in OF_5_3_3) == 200


@pytest.mark.parametrize("scenario", ["java-4.9.8/b_sigstop", "java-4.9.8/j_shutdown", "java-4.9.8/l_delayed_unlock"])
def test_first_pull_of_4_9_8_is_immediate(scenario):
    assert V4_9_8.rules.pull_delay == 0
    assert min(first_pulls(recorded_run(scenario), "4.9.8")) < 25


def test_mixed_releases_delay_first_pulls_separately():
    run = recorded_run("java-5.3.3/zoo")
    assert [started.client for started in run.run.consumers.values() if started.group == "MX"] == ["53", "49"]
    older = first_pulls(run, "4.9.8")
    assert len(older) == 4
    assert max(older) < 100
