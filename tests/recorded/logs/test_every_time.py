"""Times of log lines in all time zones, compared with the standard library's dates."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from rebalance_proofs.cli.audit import Zone
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.times import ms_of, stamp
from tests.recorded.audit.audited import audited

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DATES = {
    "2023-01-31": "{0.year}-{0.month:02}-{0.day:02}",
    "2023/01/31": "{0.year}/{0.month:02}/{0.day:02}",
    "20230131": "{0.year}{0.month:02}{0.day:02}",
    "31-Jan-2023": "{0.day:02}-{1}-{0.year}",
    "31/Jan/2023": "{0.day:02}/{1}/{0.year}",
    "2023-Jan-31": "{0.year}-{1}-{0.day:02}",
    "Jan 31, 2023": "{1} {0.day}, {0.year}",
}
"""Example -> format of a date whose order of day and month is not ambiguous."""
ZONES = {"+05:30": "{}{:02}:{:02}", "+0530": "{}{:02}{:02}", " +05:30": " {}{:02}:{:02}", " +0530": " {}{:02}{:02}"}
HALVES = (
    "{0.month}/{0.day}/{0.year} {1}:{0.minute:02}:{0.second:02} {2}",
    "{0.year}年{0.month}月{0.day}日 {3} {1}:{0.minute:02}:{0.second:02}",
)
WHEN = st.datetimes(datetime(2013, 1, 1), datetime(2036, 12, 31))
OFFSETS = st.integers(-48, 56).map(lambda quarters: 15 * quarters)
"""Minutes ahead of UTC: all offsets in use are multiples of a quarter of an hour."""
HALF_HOUR = datetime(2024, 2, 29, 23, 59, 59, 987_654)


def offset(minutes, form):
    return form.format("-" if minutes < 0 else "+", *divmod(abs(minutes), 60))


def line(when, date, digits, separator, before):
    clock = f"{when:%H:%M:%S}" + (f"{separator}{f'{when.microsecond:06}000'[:digits]}" if digits else "")
    return f"{before}{DATES[date].format(when, MONTHS[when.month - 1])} {clock}"


def exact(when, minutes, digits):
    """The time in ms, as far as so many digits of the fraction show it."""
    whole = when.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))
    return ms_of(whole.astimezone(UTC)) + int(f"{when.microsecond:06}"[: min(3, digits)].ljust(3, "0"))


@settings(max_examples=100)
@given(
    WHEN,
    OFFSETS,
    st.sampled_from(list(DATES)),
    st.sampled_from(list(ZONES)),
    st.integers(0, 9),
    st.sampled_from(".,"),
    st.sampled_from(("", "[", "INFO ", "host-1 ")),
)
@example(HALF_HOUR, 345, "2023-01-31", "+05:30", 3, ".", "")
@example(HALF_HOUR, -210, "31/Jan/2023", " +0530", 0, ".", "[")
def test_time_with_a_zone_is_that_of_the_calendar(when, minutes, date, zone, digits, separator, before):
    text = line(when, date, digits, separator, before) + offset(minutes, ZONES[zone])
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None, text
    assert (found.at, found.zoned, found.dated, found.whole) == (exact(when, minutes, digits), True, True, True), text


@settings(max_examples=60)
@given(WHEN, st.sampled_from(list(DATES)), st.integers(0, 9), st.sampled_from(".,"))
def test_time_without_a_zone_is_that_of_the_clock(when, date, digits, separator):
    text = line(when, date, digits, separator, "")
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None, text
    assert (found.at, found.zoned) == (exact(when, 0, digits), False), text


@settings(max_examples=40)
@given(WHEN.filter(lambda when: when.day > 12), st.sampled_from(HALVES))
def test_time_of_twelve_hours_is_that_of_the_clock(when, form):
    text = form.format(
        when, when.hour % 12 or 12, "PM" if when.hour > 11 else "AM", "下午" if when.hour > 11 else "上午"
    )
    found = stamp(f"{text} INFO doRebalance".encode(), 1970)
    assert found is not None, text
    assert found.at == exact(when, 0, 0), text


@settings(max_examples=12)
@given(WHEN, OFFSETS, st.booleans())
@example(HALF_HOUR, 345, True)
@example(HALF_HOUR, -210, False)
def test_zone_is_applied_whether_a_line_or_the_user_states_it(tmp_path_factory, when, minutes, stated):
    queue = "MessageQueue [topic=T, brokerName=b, queueId=0]"
    text = f"{when:%Y-%m-%d %H:%M:%S},{when.microsecond // 1000:03}"
    zone = offset(minutes, ZONES["+05:30"])
    commit = f"[persistAll] Group: G ClientId: a@1 updateConsumeOffsetToBroker {queue} 7"
    log = f"{text}{zone if stated else ''} INFO RocketmqClient - {commit}\n"
    asked = Asked(zone=None if stated else Zone().convert(zone, None, None)[1])
    (group,) = audited(tmp_path_factory.mktemp("logs"), {"c0.log": log}, asked).groups
    assert [one.begin for one in group.spans] == [exact(when, minutes, 3)]


def test_every_offset_is_read_in_every_form():
    for minutes in range(-12 * 60, 14 * 60 + 1, 15):
        for date, form in product(DATES, ZONES.values()):
            text = line(HALF_HOUR, date, 3, ",", "") + offset(minutes, form)
            found = stamp(f"{text} x".encode(), 1970)
            assert found is not None, text
            assert found.at == exact(HALF_HOUR, minutes, 3), text
