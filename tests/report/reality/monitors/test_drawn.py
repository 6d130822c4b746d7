"""Randomly generated recordings, whose monitor results are pinned."""

import re

from tests.pins.table import PINS
from tests.report.reality.monitors.drawn import drawn
from tests.report.reality.monitors.made import Made

NEVER = {
    "a reset sent another offset than the one that it had set": "no consumer resets offsets; ``test_notice`` has a lie",
    "the rebalance after a reset read another offset than the reset had sent": "no consumer resets offsets",
    "a consumer still held the broker's lock after its shutdown, which dropped a delayed unlock": "``test_premises``",
    "a member still used a topic's outdated route a whole poll interval after it had more queues": "``test_premises``",
    **dict.fromkeys(
        (
            "a message was skipped that arrived at an owned queue",
            "a message was skipped that arrived at an owned queue after its first pull was answered",
            "a message was skipped that arrived at an owned queue after its first pull was answered, and two consumers "
            "took the queue before the first commit",
            "a message was skipped that arrived at an owned queue, and two consumers took the queue before the first "
            "commit",
            "a message was skipped that arrived while the first consumer queried the offset",
            "a message was skipped that was stored before the group's first member asked for the offset",
        ),
        "all consumers start at the first offset; recordings of ``last`` do not",
    ),
    "a list of ids contained an id twice, because the broker had not noticed the end of a connection": "generated "
    "processes pause too often; ``java-5.3.3/half_open`` shows it",
    "an entry was pulled while another pull of it was open (by the machine's behaviours)": "left to the machine",
    "listeners of two consumers ran on one ordered queue, after it had returned to one of them during its "
    "delayed unlock": "a listener that takes so long breaks another premise",
}
"""What happens in none, and why."""
ROW = re.compile(r"  (.+): (\d+) of \d+, \d+ ms, \w{8}")


def test_every_monitored_event_happens_in_a_generated_recording():
    """A monitor without any event in them would not be tested."""
    rows = [ROW.fullmatch(line) for line in PINS["monitors"].pinned().decode().splitlines()]
    happens = {row.group(1): int(row.group(2)) for row in rows if row}
    assert len(happens) > 60
    assert {what for what, times in happens.items() if not times} == {*NEVER}


def test_generated_recording_is_deterministic():
    one, again, other = (drawn("registry", number) for number in (1, 1, 2))
    assert one.of == again.of != other.of


def test_made_recording_has_lines_in_order_of_time():
    made = Made("4.9.8")
    made.member("c0", 500, group="G")
    made.broker("b0", 100)
    made.member("c1", 7)
    trace = made.trace(900)
    assert [(event.at, event.row) for event in trace.of["driver"]] == [(7, 1), (100, 2), (500, 3), (900, 4)]
    assert (trace.release("c0"), trace.brokers, trace.end) == ("4.9.8", ("b0",), 900)
