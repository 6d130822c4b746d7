"""The recorded runs of this package are readable, and the page beside them lists them."""

import re
from collections import Counter

from rebalance_proofs.recorded.groups.driver import RunEnd
from rebalance_proofs.recorded.groups.event import Event, Sent
from rebalance_proofs.recorded.groups.names import PROCESSES
from rebalance_proofs.recorded.groups.run import FOLDER, all_shipped
from tests.each import each
from tests.recorded.groups.seen import recorded_run

EVENTS = {
    "java-4.9.0/broker_killed": 7_263,
    "java-4.9.4/broker_killed": 7_512,
    "java-4.9.7/broker_killed": 7_780,
    "java-4.9.7/last": 3_250,
    "java-4.9.7/last_killed": 11_094,
    "java-4.9.7/last_taken": 10_859,
    "java-4.9.8/b_sigstop": 28_762,
    "java-4.9.8/c2_ordered_long": 2_881,
    "java-4.9.8/freeze": 4_001,
    "java-4.9.8/j_shutdown": 9_878,
    "java-4.9.8/l_delayed_unlock": 5_119,
    "java-4.9.8/lost_locks": 13_688,
    "java-4.9.8/lost_requests": 16_025,
    "java-4.9.8/n_await_ordered": 5_622,
    "java-4.9.8/o_shutdown_ordered": 6_803,
    "java-4.9.8/premises": 21_127,
    "java-4.9.8/reset": 5_012,
    "java-4.9.8/x_start_threw": 621,
    "java-5.1.4/broker_killed": 9_994,
    "java-5.2.0/broker_killed": 10_075,
    "java-5.3.3/collected": 5_931,
    "java-5.3.3/concurrent": 25_727,
    "java-5.3.3/half_open": 7_717,
    "java-5.3.3/locks": 10_739,
    "java-5.3.3/lost_pulls": 20_345,
    "java-5.3.3/lost_requests": 16_914,
    "java-5.3.3/mixed_late": 3_677,
    "java-5.3.3/mixed_ordered": 15_814,
    "java-5.3.3/ordered_all": 50_098,
    "java-5.3.3/premises": 26_079,
    "java-5.3.3/repairs": 5_711,
    "java-5.3.3/relock": 27_769,
    "java-5.3.3/reset": 6_483,
    "java-5.3.3/shutdowns": 24_400,
    "java-5.3.3/thrown": 11_282,
    "java-5.3.3/zoo": 56_980,
    "java-5.4.0/broker_killed": 12_883,
}
NEVER = {"patch-failed", "cannot"}
"""Events that none of these runs has."""
TWO_BROKERS = ("lost_requests", "mixed_late")


@each("scenario", sorted(EVENTS))
def test_every_recording_is_read_completely(scenario):
    run = recorded_run(scenario)
    assert len(run.of(Event, *run.run.files)) == EVENTS[scenario]
    assert run.of(RunEnd, "driver")
    assert min(event.at for event in run.of(Event)) == 0
    assert run.run.brokers == (("b0", "b1") if scenario.endswith(TWO_BROKERS) else ("b0",))


def test_every_line_of_a_file_is_an_event():
    run = recorded_run("java-5.3.3/relock")
    assert len(run.of(Sent, "p")) == run.of(Event, "p")[-1].n


def test_every_known_event_occurs():
    seen = Counter(
        type(event)
        for scenario in EVENTS
        for event in recorded_run(scenario).of(Event, *recorded_run(scenario).run.files)
    )
    assert {name for name, record in PROCESSES.items() if not seen[record]} == NEVER


def test_page_has_a_row_for_each_recording():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    version, found = "", set()
    for line in page.splitlines():
        if match := re.match(r"\| (java-[\d.]+) \|", line):
            version = match[1]
        elif version and (match := re.match(r"\| (\w+) \|", line)):
            found.add(f"{version}/{match[1]}")
    assert found == set(all_shipped()) == set(EVENTS)
