"""The recordings that are drawn, of which tests/golden keeps what monitors say."""

import re

from tests.golden.kept import file
from tests.report.reality.monitors.drawn import drawn
from tests.report.reality.monitors.made import Made

NEVER = {
    "an entry was pulled while another pull of it was open (by the machine's behaviours)": "left to the machine",
    "listeners of two consumers ran on one ordered queue, after it had come back to one of them while the return of "
    "its lock was put off": "a listener that takes so long breaks another premise",
}
"""What happens in none, and why."""
ROW = re.compile(r"  (.+): (\d+) of \d+, \d+ ms, \w{8}")


def test_everything_that_monitors_look_for_happens_in_one():
    """What none has is not held: its monitor could say anything of it."""
    rows = [ROW.fullmatch(line) for line in file("monitors").read_text(encoding="utf-8").splitlines()]
    happens = {row.group(1): int(row.group(2)) for row in rows if row}
    assert len(happens) > 60
    assert {what for what, times in happens.items() if not times} == {*NEVER}


def test_one_is_drawn_alike_each_time():
    one, again, other = (drawn("registry", number) for number in (1, 1, 2))
    assert one.of == again.of != other.of


def test_one_that_is_made_has_its_lines_by_time():
    made = Made("4.9.8")
    made.member("c0", 500, group="G")
    made.broker("b0", 100)
    made.member("c1", 7)
    trace = made.trace(900)
    assert [(event.at, event.row) for event in trace.of["driver"]] == [(7, 1), (100, 2), (500, 3), (900, 4)]
    assert (trace.release("c0"), trace.brokers, trace.end) == ("4.9.8", ("b0",), 900)
