"""Durations are correct to their last printed digit when parsed back."""

import re

from hypothesis import example, given
from hypothesis.strategies import integers

from rebalance_proofs.report.audit.words import how_long

UNITS = {"h": 3_600_000, "min": 60_000, "s": 1_000}
LARGEST = {"h": 1_000, "min": 59, "s": 59}


def read(told: str) -> tuple[int, list[str]]:
    """The ms that are told, and the units; raises ``AssertionError`` for a part that is not below the next one."""
    parts = re.findall(r"([\d.]+) (h|min|s)", told)
    assert " ".join(f"{number} {unit}" for number, unit in parts) == told
    assert [unit for _, unit in parts] in (["s"], ["min", "s"], ["h", "min"])
    for number, unit in parts[1:]:
        assert float(number) <= LARGEST[unit]
    return round(sum(float(number) * UNITS[unit] for number, unit in parts)), [unit for _, unit in parts]


@given(integers(0, 500 * 3_600_000))
@example(59_999)
@example(60_000)
@example(3_599_499)
@example(3_599_500)
@example(500_000_000)
def test_duration_is_exact_to_its_last_printed_digit(ms):
    told, units = read(how_long(ms))
    if units == ["s"]:
        assert abs(told - ms) <= 50
    elif units == ["min", "s"]:
        assert abs(told - ms) <= 500
    else:
        assert 0 <= round(ms / 1000) * 1000 - told < 60_000  # minutes are not rounded up
