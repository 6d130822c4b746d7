"""Times of log lines, in every known format."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.logs.times import DAY, clock_of_head, date_of, ms_of, orders, stamp

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


ZONED = {
    "2024-05-21 10:00:00.1234567890123Z": 0,
    "2024-05-21T10:00:00.123456789012+0530": 330,
    "2024-05-21T10:00:00.123+05:45": 345,
    "2024-05-21 10:00:00,123 -0330": -210,
    "2024-05-21T10:00:00.123+08": 480,
    "2024-05-21 10:00:00.123 GMT+08:00": 480,
    "2024-05-21 10:00:00.123 UTC+8": 480,
    "2024-05-21 10:00:00.123 UTC": 0,
    "2024-05-21 10:00:00.123 [+08:00]": 480,
    "2024-05-21T10:00:00.123+08:00[Asia/Shanghai]": 480,
    "20240521T100000.123+0800": 480,
    "Tue, 21 May 2024 10:00:00.123 -0700": -420,
    "Tue May 21 10:00:00.123 +1245 2024": 765,
    "1716285600123": 0,
    'ts=1716285600.1234 caller="': 0,
    '{"__REALTIME_TIMESTAMP":"1716285600123456",': 0,
    '{"timeUnixNano":"1716285600123456789",': 0,
}
"""Time of 10:00:00.123 with its zone -> the zone's offset in minutes."""


@pytest.mark.parametrize("text", ZONED)
def test_zone_is_read_to_the_minute(text):
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None
    assert found.zoned
    assert found.at == 1_716_285_600_123 - ZONED[text] * 60_000
    assert found.offset == ZONED[text] * 60_000


@pytest.mark.parametrize("text", ["2024-05-21 10:00:00.123 +1500", "2024-05-21 10:00:00.123 [-1234]"])
def test_offset_of_no_zone_is_no_zone(text):
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None
    assert (found.at, found.zoned) == (1_716_285_600_123, False)


@pytest.mark.parametrize("text", ["2024-05-21 10:00:00 CST", "Tue May 21 10:00:00 CST 2024", "21/5/2024 10:00:00 CST"])
def test_zone_with_several_meanings_is_only_named(text):
    found = stamp(f"[{text}] INFO doRebalance".encode(), 1970)
    assert found is not None
    assert (found.at, found.zoned, found.named) == (1_716_285_600_000, False, "CST")


CHINESE = [
    "2024-05-21 下午 1:00:00",
    "2024/5/21 下午01:00:00",
    "2024-05-21 01:00:00 下午",
    "2024年5月21日 下午1:00:00",
    "2024年05月21日 13时00分00秒",
    "2024年5月21日 星期二 13:00:00",
    "2024-05-21（周二）13:00:00",
    "21 五月 2024 13:00:00,000",
    "五月 21, 2024 1:00:00 下午",
    "5月 21, 2024 1:00:00 下午",
]


@pytest.mark.parametrize("coding", ["utf-8", "gbk"])
@pytest.mark.parametrize("text", CHINESE)
def test_chinese_time_is_read_in_both_encodings(text, coding):
    found = stamp(f"{text} INFO doRebalance".encode(coding), 1970)
    assert found is not None
    assert f"{date_of(found.at):%Y-%m-%d %H:%M:%S}" == "2024-05-21 13:00:00"
    assert found.whole


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-21 Tue 10:00:00",
        "Tue May 21 10:00:00 2024",
        "2024 May 21 10:00:00",
        "May 21, 2024, 10:00:00 AM",
        "21-May-24 10:00:00",
        "5/21/24 10:00:00",
        "5/21/24, 10:00:00 AM",
        "21/5/2024 10:00:00",
        "21.5.2024 10:00:00",
        "240521 10:00:00",
        "20240521 100000",
        "20240521100000000",
        "20240521-100000",
        "2024-05-21 10-00-00",
        "2024-05-21 10.00.00",
        "２０２４－０５－２１ 10：00：00",
        "2024‐05‐21 10:00:00",
    ],
)
def test_uncommon_notation_is_read(text):
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None
    assert f"{date_of(found.at):%Y-%m-%d %H:%M:%S}" == "2024-05-21 10:00:00"
    assert (found.dated, found.whole, found.either) == (True, True, "")


@pytest.mark.parametrize(
    ("text", "order", "date", "assumed"),
    [
        ("04/05/2024", "", "2024-05-04", "dmy"),
        ("04/05/2024", "mdy", "2024-04-05", ""),
        ("24/05/21", "", "2024-05-21", "ymd"),
        ("24/05/21", "dmy", "2021-05-24", ""),
        ("13/05/21", "mdy", "2013-05-21", "ymd"),
        ("24-05-21", "", "2024-05-21", ""),
        ("04.05.2024", "", "2024-05-04", ""),
    ],
)
def test_assumed_order_of_a_date_is_told(text, order, date, assumed):
    found = stamp(f"{text} 10:00:00 INFO doRebalance".encode(), 1970, order)
    assert found is not None
    assert (f"{date_of(found.at):%Y-%m-%d}", found.either) == (date, assumed)


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (("05/04/2024", "05/31/2024"), "mdy"),
        (("24/05/21", "24/05/21"), ""),
        (("24/05/21", "24/05/22"), "ymd"),
        (("21/05/24", "22/05/24"), "dmy"),
        (("21/05/24", "32/05/21"), "ymd"),
        (("2024-05-21", "no date"), ""),
    ],
)
def test_order_is_that_of_all_dates(dates, order):
    assert orders("\n".join(f"{date} 10:00:00 x" for date in dates).encode()) == order
