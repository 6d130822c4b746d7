"""Times of log lines, in every known format."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.logs.times import DAY, clock_of_head, date_of, ms_of, stamp

AT = 1_675_166_400_123
"""2023-01-31 12:00:00.123, as if it were UTC."""


@pytest.mark.parametrize(
    "head",
    [
        "2023-01-31 12:00:00,123 INFO RocketmqClient - ",
        "2023-01-31 12:00:00.123 INFO  [4711] [RebalanceService] [RocketmqClient#?:?] - ",
        "[2023-01-31 12:00:00.123] [info] ",
        "2023-01-31T12:00:00.123456789 ",
        "12:2023-01-31 12:00:00,123 ",
        "client.log:12:2023-01-31 12:00:00,123 ",
        "2023/01/31 12:00:00.123 ",
        "23-01-31 12:00:00,123 ",
        "20230131 12:00:00,123 ",
        "2023-01-31\t12:00:00,123\tINFO\t",
        "31-Jan-2023 12:00:00.123 ",
        "31/Jan/2023:12:00:00.123 ",
        "2023-Jan-31 12:00:00.123456 ",
        '{"level":"info","time":"2023-01-31T12:00:00.123","msg":"',
        "[trace-1] order-service 2023-01-31 12:00:00:123 ",
    ],
)
def test_time_formats_are_read(head):
    found = stamp(f"{head}doRebalance".encode(), 1970)
    assert found is not None
    assert (found.at, found.zoned, found.dated, found.whole) == (AT, False, True, True)


@given(
    st.sampled_from(
        [
            "2023-01-31 12:00:00,123 INFO - x",
            "12:2023-01-31 12:00:00,123 x",
            "[t] 2023-01-31 12:00:00 PM x",
            "2023-01-31T04:00:00.123Z stdout F 2023-01-31 12:00:00,123 INFO",
            "at 11:22:33 2023-01-31 12:00:00,123 x 2023-01-31T04:00:00.123Z",
            "5/21/2024 9:00:00 PM 2023-01-31 12:00:00 x",
            "x 12023-01-31 12:00:00 x",
        ]
    ),
    st.integers(0, 60),
)
def test_position_hint_changes_no_result(text, near):
    assert stamp(text.encode(), 1970, near=near) == stamp(text.encode(), 1970)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("5/21/2024 12:00:00 AM", "00:00:00"),
        ("5/21/2024, 12:00:00 PM", "12:00:00"),
        ("05/21/24 1:02:03 p.m.", "13:02:03"),
        ("2024-05-21 09:00:00 PM", "21:00:00"),
        ("2024-05-21 09:00:00.123 am", "09:00:00"),
        ("May 21, 2024 9:00:00\u202fPM", "21:00:00"),
        ("2024年5月21日 下午 9:00:00", "21:00:00"),
        ("2024-05-21 13:00:00 AM", "13:00:00"),
        ("2024-05-21 09:00:00 amount=3", "09:00:00"),
    ],
)
def test_twelve_hour_time_is_read(text, clock):
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None
    assert f"{date_of(found.at):%Y-%m-%d %H:%M:%S}" == f"2024-05-21 {clock}"


@pytest.mark.parametrize(
    "text", ["2023-01-31T04:00:00.123Z", "2023-01-31T12:00:00.123+08:00", "2023-01-31 12:00:00.123 +0800"]
)
def test_zone_is_applied(text):
    found = stamp(f'time="{text}" level=info'.encode(), 1970)
    assert found is not None
    assert (found.at, found.zoned) == (AT - 8 * 3_600_000, True)


def test_time_with_a_zone_is_preferred():
    found = stamp(b"2023-01-31T04:00:00.123Z stdout F 2023-01-31 12:00:00,123 INFO", 1970)
    assert found is not None
    assert found.at == AT - 8 * 3_600_000


def test_missing_year_is_the_given_one():
    for text in (b"01-31 12:00:00.123 x", b"Jan 31 12:00:00.123 host x"):
        found = stamp(text, 2023)
        assert found is not None
        assert (found.at, found.whole) == (AT, False)


def test_missing_date_gives_a_time_of_day():
    found = stamp(b"12:00:00.123 [main] INFO", 2023)
    assert found is not None
    assert (found.at, found.dated) == (AT % DAY, False)


@pytest.mark.parametrize(
    "text", ["", "nothing", "127.0.0.1:10911", "id 0x12:34", "at Foo.bar(Foo.java:12:34)", "2023-02-31 12", "99:99:99"]
)
def test_text_without_a_time_has_none(text):
    assert stamp(text.encode(), 2023) is None


def test_invalid_date_is_ignored():
    found = stamp(b"2023-13-45 12:00:00 x", 2023)
    assert found is not None
    assert not found.dated


def test_clock_of_a_header_keeps_the_last_time():
    clock = clock_of_head()
    assert [clock(one) for one in (b"2023-01-31 12:00:00", b"2023-01-31 12:00:00", b"2023-01-31 12:00:01")] == [
        AT - 123,
        AT - 123,
        AT + 877,
    ]
    assert clock(b"no time at all here") is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_dates_and_ms_are_converted(when):
    whole = when.replace(microsecond=when.microsecond // 1000 * 1000)
    assert date_of(ms_of(when)) == whole
    assert (date_of(10**18).year, date_of(-(10**18)).year) == (9999, 1)
