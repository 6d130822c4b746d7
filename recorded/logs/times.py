"""Parse times of log lines, in the forms that clients, brokers and applications write."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

__all__ = ["DAY", "Stamp", "clock_of_head", "date_of", "ms_of", "stamp"]

DAY = 86_400_000
"""Length of a day in ms."""
ZERO = datetime(1970, 1, 1, tzinfo=UTC)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
ZONE = rb"(?:\s?(Z|[+-]\d\d:?\d\d)(?!\d))?"
CLOCK = rb"(\d\d):(\d\d):(\d\d)(?:[.,:](\d{1,9}))?"
NUMBERS = re.compile(
    rb"(?<![\d.])(?:(\d{4})([-/.])(\d\d)\2(\d\d)|(\d\d)([-/])(\d\d)\6(\d\d)|(20\d\d)(\d\d)(\d\d))"
    rb"(?:[ Tt_:,;|\"-]|\\t|\t){1,4}" + CLOCK + ZONE
)
"""Pattern of times with the year first, in four or two digits, or in an 8-digit date.

Date and time can be two columns.
"""
COMPACT = re.compile(rb"(?<!\d)(20\d\d[01]\d[0-3]\d)T([0-2]\d)([0-5]\d)([0-6]\d)(?=[.,Z+ -]|$)")
"""Pattern of ISO 8601 times without punctuation."""
WORDS = re.compile(
    rb"(?:(\d{4})-([A-Z][a-z]{2})-(\d\d)|(\d\d?)[ /-]([A-Z][a-z]{2})[ /-](\d{4})"
    rb"|([A-Z][a-z]{2}) {1,2}(\d\d?)(?:,? (\d{4}))?)"
    rb"(?: @ |[ :T]{1,2})" + CLOCK + ZONE
)
"""Pattern of times with an English name of the month; the year can be missing."""
ONE_DIGIT = re.compile(
    rb"(?<![\d.])(\d{4})(?:[-/.]|%b|%b)(\d\d?)(?:[-/.]|%b|%b)(\d\d?)(?:%b|%b)?[ T]{0,2}"
    % tuple(sign.encode(coding) for sign in "年月日" for coding in ("utf-8", "gbk"))
    + CLOCK.replace(rb"(\d\d)", rb"(\d\d?)", 1)
)
"""Pattern of times with the year first, and one-digit numbers or Chinese signs in the date.

The signs stand for year, month and day.
"""
DAY_FIRST = re.compile(rb"(?<![\d.])(\d\d)([-/.])(\d\d)\2(\d{4})(?:[ T,]|\t){1,3}" + CLOCK + ZONE)
"""Pattern of times with the day first, or with the month first as in the United States."""
EPOCH = re.compile(
    rb"(?:^(\[)?|[\"'{, ](?:ts|time|timestamp|timeMillis|@timestamp)[\"']? ?[:=] ?[\"']?)"
    rb"(1[2-9]\d{8}|2[01]\d{8})(?:(\d{3})|\.(\d{1,9}))(?(1)\]|(?=[\"',|} \t]))"
)
"""Pattern of ms, or seconds with a fraction, since 1970.

They are at the beginning of the line, or are the value of a key.
"""
INSTANT = re.compile(rb"\"epochSecond\" ?: ?(\d{9,10}) ?, ?\"nanoOfSecond\" ?: ?(\d{1,9})\D")
"""Pattern of times in log4j2's JSON."""
NO_YEAR = re.compile(rb"(?:(?<![\d.:/-])(\d\d)[-/](\d\d)|^[DIWEF](\d\d)(\d\d)) " + CLOCK)
"""Pattern of times with month and day but no year; the second form is glog's."""
NO_DATE = re.compile(rb"(?<![\d.:])" + CLOCK + rb"(?![\d:])")
FORE, PAST = "上午".encode(), "下午".encode()
HALVES = re.compile(
    rb"(?:(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4}|\d\d),? +)?(?:(%b|%b) ?)?(?<!\d)(\d{1,2})(:\d\d:\d\d(?:[.,]\d{1,9})?)"
    rb"(?(4)|(?:(?: |\xe2\x80\xaf|\xc2\xa0)?([AaPp])\.?[Mm]\b\.?| ?(%b|%b)))" % (FORE, PAST, FORE, PAST)
)
"""Pattern of a 12-hour time, perhaps after a date with slashes."""
TWELVE = re.compile(rb"(?:[.,]\d{1,9})?(?: |\xe2\x80\xaf|\xc2\xa0)?[AaPp]\.?[Mm]\b")
"""Pattern of the text after a 12-hour time (a.m. or p.m.)."""
HALF = re.compile(rb" ?(?:[AaPp]\.?[Mm]\b|%b|%b)" % (FORE, PAST))
SIGNS = {
    f"{number}月".encode(): f"{name.title()} ".encode()
    for number, name in zip(
        ("十一", "十二", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"),
        (*MONTHS[10:], *MONTHS[:10]),
        strict=True,
    )
}
"""Chinese names of months -> month, as java.util.logging writes them.

Longer names come first.
"""
BEGINS = re.compile(rb"(\d{4})-(\d\d)-(\d\d)[ T]" + CLOCK + ZONE)
"""Pattern of the usual form of a time at the beginning of a line."""
DIGITS_OR_DOT = tuple(b"%c" % sign for sign in b"0123456789.")
SOME = re.compile(rb"\d:\d\d:\d\d")
"""Pattern of a part that all forms of times share.

Most lines without a time do not contain it.
"""
AMONG = 400
"""Number of bytes at the beginning of a line in which its time is searched."""


def date_of(at: int) -> datetime:
    """Return the UTC date of a time in ms since 1970; times outside the calendar give its limit."""
    try:
        return ZERO + timedelta(milliseconds=at)
    except OverflowError:
        return (datetime.max if at > 0 else datetime.min).replace(tzinfo=UTC)


def ms_of(when: datetime) -> int:
    """Return a date with a time zone as whole ms since 1970."""
    return (when - ZERO) // timedelta(milliseconds=1)


class Stamp(NamedTuple):
    """The time of a log line."""

    at: int
    """Time in ms.

    With a zone: since 1970 in UTC. Without a zone: since 1970 as if the clock showed UTC. Without a date: since
    midnight.
    """
    zoned: bool = False
    dated: bool = True
    whole: bool = True
    """True if the line's date contains a year."""
    place: int = 0
    """Position of the time in the line, in bytes."""
    either: bool = False
    """True if the order of day and month in the line's date is ambiguous."""


def stamp(line: bytes, year: int, month_first: bool = False, near: int = 0) -> Stamp | None:
    """Return the time of the line, or None.

    If the line has several times, return one with a zone, else the first. ``year`` is used if the line has none.
    ``month_first``: order of ambiguous dates with slashes that end with the year. ``near``: position of the time in the
    line before; it makes parsing faster and does not change the result.
    """
    head = line[:AMONG]
    for place in (near, 0) if near else (0,):
        if (first := BEGINS.match(head, place)) and not HALF.match(head, first.end()) and _alone(head, first):
            one = _made(int(first[1]), int(first[2]), int(first[3]), first, 4, first[8])
            if one:
                return one
    some = SOME.search(head)
    if not some and b"T" in head:
        head = COMPACT.sub(rb"\1T\2:\3:\4", head, count=1)
        some = SOME.search(head)
    if not some:
        return _of_epoch(head)
    if TWELVE.match(head, some.end()) or FORE in head or PAST in head:
        head = _of_24_hours(head)
    found = [one for made in NUMBERS.finditer(head) if (one := _of_numbers(made))]
    found = found or [one for made in WORDS.finditer(head) if (one := _of_words(made, year))]
    found = found or [one for made in DAY_FIRST.finditer(head) if (one := _of_day_first(made, month_first))]
    if found:
        return next((one for one in found if one.zoned), found[0])
    if (made := ONE_DIGIT.search(head)) and (one := _made(int(made[1]), int(made[2]), int(made[3]), made, 4, None)):
        return one
    if one := _of_epoch(head):
        return one
    if made := NO_YEAR.search(head):
        one = _made(year, int(made[1] or made[3]), int(made[2] or made[4]), made, 5, None, whole=False)
        if one:
            return one
    if made := NO_DATE.search(head):
        hours, minutes, seconds = (int(made[place]) for place in (1, 2, 3))
        if hours < 24 and minutes < 60 and seconds < 61:
            at = (hours * 3600 + minutes * 60 + seconds) * 1000 + _ms(made[4])
            return Stamp(at, False, False, False, made.start())
    return None


def _alone(head: bytes, first: re.Match[bytes]) -> bool:
    """Return True if a date in the usual form at the line's beginning is the line's time.

    There must be no time before it and, if it has no zone, none after it.
    """
    place = first.start()
    if place and (head[place - 1 : place] in DIGITS_OR_DOT or SOME.search(head, 0, place)):
        return False
    return bool(first[8]) or not (SOME.search(head, first.end()) and NUMBERS.search(head, first.end()))


def _of_24_hours(head: bytes) -> bytes:
    """Return the beginning of a line with its 12-hour time converted to 24 hours."""
    made = HALVES.search(head)
    if not made:
        return head
    half = made[4] or made[7] or made[8]
    after = half in (b"P", b"p", PAST)
    hour = int(made[5])
    if not 1 <= hour <= 12:
        return head
    clock = b"%02d%b" % (hour % 12 + (12 if after else 0), made[6])
    begin = head[: made.start()]
    if made[1]:
        year = made[3] if len(made[3]) == 4 else b"20" + made[3]
        clock = b"%02d/%02d/%b %b" % (int(made[1]), int(made[2]), year, clock)
    else:
        for sign, name in SIGNS.items():
            begin = begin.replace(sign, name.rstrip())
    return begin + clock + head[made.end() :]


def _of_numbers(made: re.Match[bytes]) -> Stamp | None:
    if made[1]:
        year, month, day = int(made[1]), int(made[3]), int(made[4])
    elif made[5]:
        year, month, day = 2000 + int(made[5]), int(made[7]), int(made[8])
    else:
        year, month, day = int(made[9]), int(made[10]), int(made[11])
    return _made(year, month, day, made, 12, made[16])


def _of_day_first(made: re.Match[bytes], month_first: bool) -> Stamp | None:
    first, second = int(made[1]), int(made[3])
    open_ = made[2] in b"/-"
    if open_ and (second > 12 or (month_first and first <= 12)):
        first, second = second, first
    one = _made(int(made[4]), second, first, made, 5, made[9])
    return one and one._replace(either=open_ and first <= 12 and first != second and not month_first)


def _of_epoch(head: bytes) -> Stamp | None:
    if instant := INSTANT.search(head):
        return Stamp(int(instant[1]) * 1000 + int(instant[2]) // 1_000_000, True, place=instant.start())
    made = EPOCH.search(head)
    return made and Stamp(int(made[2]) * 1000 + _ms(made[3] or made[4]), True, place=made.start())


def _of_words(made: re.Match[bytes], year: int) -> Stamp | None:
    if made[1]:
        parts = (made[1], made[2], made[3])
    elif made[4]:
        parts = (made[6], made[5], made[4])
    else:
        parts = (made[9], made[7], made[8])
    name = parts[1].decode().lower()
    if name not in MONTHS:
        return None
    in_it = parts[0] is not None
    return _made(
        int(parts[0]) if in_it else year, MONTHS.index(name) + 1, int(parts[2]), made, 10, made[14], whole=in_it
    )


def _ms(digits: bytes | None) -> int:
    return int(digits[:3].ljust(3, b"0")) if digits else 0


def _made(
    year: int, month: int, day: int, made: re.Match[bytes], clock: int, zone: bytes | None, *, whole: bool = True
) -> Stamp | None:
    try:
        when = datetime(
            year, month, day, int(made[clock]), int(made[clock + 1]), min(int(made[clock + 2] or 0), 59), 0, UTC
        )
    except ValueError:
        return None
    offset = 0
    if zone and zone != b"Z":
        digits = zone[1:].replace(b":", b"")
        offset = (int(digits[:2]) * 60 + int(digits[2:])) * 60_000 * (1 if zone[:1] == b"+" else -1)
    return Stamp(ms_of(when) + _ms(made[clock + 3]) - offset, zone is not None, True, whole, made.start())


def clock_of_head() -> Callable[[bytes], int | None]:
    """Return a function that converts 19 bytes such as ``2024-05-01 10:00:00`` to ms.

    The function caches the last minute and returns None for other forms.
    """
    last, minute = b"", None

    def read(head: bytes) -> int | None:
        nonlocal last, minute
        if head[:17] != last:
            last = head[:17]
            made = PLAIN.match(last)
            one = _made(int(made[1]), int(made[2]), int(made[3]), made, 4, None) if made else None
            minute = one.at if one else None
        seconds = head[17:]
        if minute is None or len(seconds) != 2 or not seconds.isdigit():
            return None
        return minute + min(int(seconds), 59) * 1000

    return read


PLAIN = re.compile(rb"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):()()")
