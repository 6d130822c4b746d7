"""Parse times of log lines, in the forms that clients, brokers and applications write."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

# Rewrite times in uncommon notations: Chinese signs, 12 hours, no punctuation, and weekdays.

ENGLISH_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
CHINESE = ("十一", "十二", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十")
"""Chinese numbers of months, 11 and 12 first because they contain shorter ones."""
NAMES = {f"{name}月": ENGLISH_MONTHS[(place + 10) % 12] for place, name in enumerate(CHINESE)}
"""Chinese names of months -> English ones."""
HALVES = {
    "上午": "AM",
    "凌晨": "AM",
    "下午": "PM",
    "中午": "PM",
    "午前": "AM",
    "午後": "PM",
    "오전": "AM",
    "오후": "PM",
}
"""Halves of the day in Chinese, Japanese and Korean."""
CODINGS = ("utf-8", "gb18030")
HALF = re.compile(
    rb" ?(?:[AaPp]\.?[Mm]\b|%b)"
    % b"|".join(re.escape(name.encode(coding)) for name in ("上午", "下午") for coding in CODINGS)
)
"""Pattern of the half of the day after a 12-hour time."""
TIME_OF_DAY = r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
BEFORE = re.compile(rf"({'|'.join(HALVES)}) ?({TIME_OF_DAY})")
AFTER = re.compile(rf"({TIME_OF_DAY}) ?({'|'.join(HALVES)})")
MONTH = re.compile("|".join(NAMES))
NUMBERED = re.compile(r"(?<!\d)(\d{1,2})月(?= \d{1,2},)")
"""Pattern of a Chinese month before the day, as Java from 9 on writes it: ``5月 21, 2024``."""
WEEKDAYS = re.compile(r" ?[(（]?(?:星期|周|礼拜)[一二三四五六日天][)）]?,?")
OF_DATE = re.compile(r"(?<=\d)([年月])(?=\d)|(?<=\d)日")
OF_CLOCK = re.compile(r"(?<!\d)(\d{1,2})[时時](\d\d)分(\d\d)秒")
LETTERS = str.maketrans(
    {chr(ord("０") + number): str(number) for number in range(10)}
    | dict.fromkeys("‐‑‒–—−－", "-")
    | dict.fromkeys("\u00a0\u2007\u202f\u3000", " ")
    | {"：": ":", "／": "/", "．": ".", "，": ","}
)
"""Wide digits and punctuation -> ASCII."""
WEEKDAY = re.compile(rb"(?<=\d) \(?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\)?(?= \d)")
"""Pattern of an English weekday between date and time."""
TWELVE = re.compile(rb"(?<!\d)(\d{1,2})(:\d\d:\d\d(?:[.,:]\d+)?) ?([AaPp])\.?[Mm]\b\.?")
"""Pattern of a 12-hour time."""
COMPACT = re.compile(
    rb"(?:(?<!\d)(?=\d{8}T)|^(?=\W?\d))(\W?)(20\d\d)([01]\d)([0-3]\d)[T_ -]?([0-2]\d)([0-5]\d)([0-6]\d)"
    rb"(?:[.,]?(\d{3,9}))?(?=[Z+ |,\]\"-]|$)"
)
"""Pattern of times without punctuation, with a T between date and time or at the line's beginning."""
SIX = re.compile(rb"^(\W?)(\d\d)([01]\d)([0-3]\d)(?= \d\d:\d\d:\d\d)")
"""Pattern of a date as six digits."""
OTHER_CLOCK = re.compile(rb"^(\W?\d{4}([-/.])\d\d\2\d\d[ T_])([0-2]\d)([-.])([0-5]\d)\4([0-6]\d)(?![\d-])")
"""Pattern of a time of day with hyphens or dots."""


def usual(head: bytes) -> bytes:
    """Return the beginning of a line with its time in a common notation, as far as it has one of the uncommon ones.

    Characters that are not ASCII can be replaced.
    """
    if not head.isascii():
        head = _of_signs(head)
    if b" " in head:
        head = WEEKDAY.sub(b"", head, count=1)
    if (half := TWELVE.search(head)) and 1 <= (hour := int(half[1])) <= 12:
        hour = hour % 12 + (12 if half[3] in b"Pp" else 0)
        head = b"%b%02d%b%b" % (head[: half.start()], hour, half[2], head[half.end() :])
    if made := COMPACT.search(head):
        part = b".%b" % made[8] if made[8] else b""
        time = b"%b%b-%b-%bT%b:%b:%b%b" % (*made.group(1, 2, 3, 4, 5, 6, 7), part)
        return head[: made.start()] + time + head[made.end() :]
    if b"." in head or b"-" in head:
        head = OTHER_CLOCK.sub(rb"\1\3:\5:\6", head)
    return SIX.sub(rb"\g<1>20\2-\3-\4", head)


def _of_signs(head: bytes) -> bytes:
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        # The beginning of a line can end within a character.
        whole = error.start >= len(head) - 3 and error.reason == "unexpected end of data"
        text = head.decode("utf-8", "ignore") if whole else head.decode("gb18030", "replace")
    text = WEEKDAYS.sub(" ", text.translate(LETTERS))
    text = OF_CLOCK.sub(r"\1:\2:\3", text)
    text = BEFORE.sub(lambda made: f"{made[2]} {HALVES[made[1]]}", text)
    text = AFTER.sub(lambda made: f"{made[1]} {HALVES[made[2]]}", text)
    text = MONTH.sub(lambda made: NAMES[made[0]], text)
    text = NUMBERED.sub(lambda made: ENGLISH_MONTHS[int(made[1]) - 1] if 0 < int(made[1]) < 13 else made[0], text)
    text = OF_DATE.sub(lambda made: "-" if made[1] else " ", text)
    return text.encode("ascii", "replace")


DAY = 86_400_000
"""Length of a day in ms."""
ZERO = datetime(1970, 1, 1, tzinfo=UTC)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
NAMED = rb"CST|CDT|CET|CEST|EET|EEST|EST|EDT|MST|MDT|PST|PDT|BST|IST|MSK|JST|KST|HKT|SGT|ICT|WIB|AEST|AEDT"
"""Names of time zones. Several have more than one meaning, so they are reported but not used."""
ZONE = (
    rb"(?:(?P<zone>[+-]\d\d(?![\d:.-])|\s?\[?(?:Z(?!\w)|[+-]\d\d:?[0-5]\d(?!\d)"
    rb"|(?:GMT|UTC)(?:[+-]\d\d?(?::?[0-5]\d)?)?(?![\w+-])))|\s\[?(?P<named>" + NAMED + rb")(?!\w))?"
)
"""Pattern of a time zone as its offset from UTC, or as a name; an offset of hours only has no space before it."""
CLOCK = rb"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,:](?P<part>\d+))?"
HOUR = CLOCK.replace(rb"\d\d", rb"\d\d?", 1)
"""Pattern of a time of day whose hour can have one digit."""
BETWEEN = rb"(?:[ Tt_:,;|\"-]|\\t|\t)"
"""Pattern of a character between date and time, which can be two columns."""
NUMBERS = re.compile(
    rb"(?<![\d.])(?:(\d{4})([-/.])(\d\d)\2(\d\d)|(20\d\d)(\d\d)(\d\d))" + BETWEEN + rb"{1,4}" + CLOCK + ZONE
)
"""Pattern of times with the year first, in four digits, or in an 8-digit date."""
WORDS = re.compile(
    rb"(?:(\d{4})[- ]([A-Z][a-z]{2})[a-z]*[- ](\d\d)|(\d\d?)[ /-]([A-Z][a-z]{2})[a-z]*[ /-](\d{4}|\d\d)"
    rb"|([A-Z][a-z]{2})[a-z]* {1,2}(\d\d?)(?:,? (\d{4}),?)?)"
    rb"(?: @ | at |[ :T]{1,2})" + HOUR + ZONE + rb"(?: (?P<last>20\d\d)(?!\w))?"
)
"""Pattern of times with an English name of the month; the year can be last, or missing."""
ONE_DIGIT = re.compile(rb"(?<![\d.])(\d{4})[-/.](\d\d?)[-/.](\d\d?)[ T,]{1,3}" + HOUR + ZONE)
"""Pattern of times with the year first, and one-digit numbers in the date."""
ANY_ORDER = re.compile(rb"(?<![\d./-])(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)" + BETWEEN + rb"{1,4}" + HOUR + ZONE)
"""Pattern of times whose date has the year last, or in two digits."""
EPOCH = re.compile(
    rb"(?:^(\[)?|(?:^|[\"'{, ])(?:ts|time|@?timestamp|timeMillis|timeUnixNano|_*(?:SOURCE_)?REALTIME_TIMESTAMP)[\"']?"
    rb" ?[:=] ?[\"']?)"
    rb"(1[2-9]\d{8}|2[01]\d{8})(?:(\d{9}|\d{6}|\d{3})|\.(\d+))(?(1)\]|(?=[\"',|} \t]))"
)
"""Pattern of ms, us or ns, or of seconds with a fraction, since 1970.

They are at the beginning of the line, or are the value of a key.
"""
INSTANT = re.compile(rb"\"epochSecond\" ?: ?(\d{9,10}) ?, ?\"nanoOfSecond\" ?: ?(\d{1,9})\D")
"""Pattern of times in log4j2's JSON."""
NO_YEAR = re.compile(
    rb"(?:(?:(?<![\d.:/-])(\d\d)[-/](\d\d)|^\W?(\d\d?)[-/](\d\d?)) {1,2}|^[DIWEF](\d\d)(\d\d) )" + HOUR
)
"""Pattern of times with month and day but no year; the last form is glog's."""
SINCE_START = re.compile(rb"[A-Z]{4,5}\[(\d{4,9})\] ")
"""Pattern of the seconds since the start of the process, as Go's logrus writes them at the beginning of a line."""
NO_DATE = re.compile(rb"(?<![\d.:])" + HOUR + rb"(?![\d:])")
BEGINS = re.compile(rb"(\d{4})-(\d\d)-(\d\d)[ T]" + CLOCK + ZONE)
"""Pattern of the usual form of a time at the beginning of a line."""
RUNTIME = b" std"
"""What follows the time that a container runtime puts before a line: ``stdout F`` or ``stderr F``."""
HOUR_MS, SKEW, DELAY = 3_600_000, 5_000, 600_000
"""An hour; the most by which a shipper's clock can be behind, and its longest delay, in ms."""
DIGITS_OR_DOT = tuple(b"%c" % sign for sign in b"0123456789.")
SOME = re.compile(rb"\d:\d\d:\d\d")
"""Pattern of a part that all forms of times share.

Most lines without a time do not contain it.
"""
WITHOUT_COLONS = re.compile(rb"\d{8}T\d{6}|^\W?(?:20\d{6}[_ -]?\d{6}|\d{4}[-/.]\d\d[-/.]\d\d[ T_]\d\d[-.]\d\d)")
"""Pattern of the beginnings of times without colons."""
AMONG = 400
"""Number of bytes at the beginning of a line in which its time is searched."""
ORDERS = ("ymd", "dmy", "mdy")
"""Orders of year, month and day in a date, the most common first."""
YEARS = range(2012, 2040)
"""Years that two digits can mean: RocketMQ's first release is of 2012."""
HIGHEST = 14 * 60
"""Largest offset of a time zone in minutes."""


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
    either: str = ""
    """Order of year, month and day, such as ``dmy``, if it is an assumption because the date has several meanings."""
    offset: int = 0
    """Offset of the stated zone from UTC in ms."""
    named: str = ""
    """Name of a zone that the line states without its offset, such as ``CST``."""
    since: bool = False
    """True if the time is the one since the start of the process."""


def stamp(line: bytes, year: int, order: str = "", near: int = 0) -> Stamp | None:
    """Return the time of the line, or None.

    If the line has several times, return one with a zone, else the first. ``year`` is used if the line has none.
    ``order``: order of ambiguous dates, one of ``ORDERS``, if the file shows it. ``near``: position of the time in the
    line before; it makes parsing faster and does not change the result.
    """
    head = line[:AMONG]
    for place in (near, 0) if near else (0,):
        if (first := BEGINS.match(head, place)) and not HALF.match(head, first.end()) and _alone(head, first):
            one = _made(int(first[1]), int(first[2]), int(first[3]), first)
            if one and one.zoned and (place or head[first.end() : first.end() + len(RUNTIME)] == RUNTIME):
                return _written(head, one, first.end())
            if one:
                return one
    if made := SINCE_START.match(head):
        return Stamp(int(made[1]) * 1000, False, False, False, since=True)
    if head.isascii() and not SOME.search(head) and not WITHOUT_COLONS.search(head):
        return _of_epoch(head)
    head = usual(head)
    if not SOME.search(head):
        return _of_epoch(head)
    found = [one for made in NUMBERS.finditer(head) if (one := _of_numbers(made))]
    found = found or [one for made in WORDS.finditer(head) if (one := _of_words(made, year))]
    found = found or [one for made in ANY_ORDER.finditer(head) if (one := _of_any_order(made, order))]
    if found:
        best = next((one for one in found if one.zoned), found[0])
        return _written(head, best, best.place + 1) if best.zoned and best is found[0] else best
    if (made := ONE_DIGIT.search(head)) and (one := _made(int(made[1]), int(made[2]), int(made[3]), made)):
        return one
    if one := _of_epoch(head):
        return one
    if made := NO_YEAR.search(head):
        month, day = (int(made[place] or made[place + 2] or made[place + 4]) for place in (1, 2))
        if one := _made(year, month, day, made, whole=False):
            return one
    if made := NO_DATE.search(head):
        hours, minutes, seconds = (int(made[name]) for name in ("hour", "minute", "second"))
        if hours < 24 and minutes < 60 and seconds < 61:
            at = (hours * 3600 + minutes * 60 + seconds) * 1000 + _ms(made["part"])
            return Stamp(at, False, False, False, made.start())
    return None


def orders(head: bytes) -> str:
    """Return the order of year, month and day that all dates in a file's beginning share, or "".

    It is empty without such dates, and if several orders are possible. An order that spreads the dates over a year is
    dropped if another one has them within a month.
    """
    every = []
    for line in head.split(b"\n"):
        if (made := ANY_ORDER.search(usual(line[:AMONG]))) and (dates := _dates(made)):
            every.append(dates)
    spread = {}
    for order in ORDERS:
        days = [year * 372 + month * 31 + day for one in every for year, month, day in [one.get(order, (0, 0, 0))]]
        if days and min(days) > 0:
            spread[order] = max(days) - min(days)
    if spread and min(spread.values()) <= 31:
        spread = {order: days for order, days in spread.items() if days < 300}
    return next(iter(spread)) if len(spread) == 1 else ""


def _alone(head: bytes, first: re.Match[bytes]) -> bool:
    """Return True if a date in the usual form at the line's beginning is the line's time.

    There must be no time before it and, if it has no zone, none after it.
    """
    place = first.start()
    if place and (head[place - 1 : place] in DIGITS_OR_DOT or SOME.search(head, 0, place)):
        return False
    return bool(first["zone"]) or not (SOME.search(head, first.end()) and NUMBERS.search(head, first.end()))


def _of_numbers(made: re.Match[bytes]) -> Stamp | None:
    return _made(int(made[1] or made[5]), int(made[3] or made[6]), int(made[4] or made[7]), made)


def _dates(made: re.Match[bytes]) -> dict[str, tuple[int, int, int]]:
    """Return order -> (year, month, day), for each order in which the date is possible."""
    first, second, third = (int(made[place]) for place in (1, 3, 4))
    every = {"dmy": (third, second, first), "mdy": (third, first, second)}
    if len(made[4]) == 2:
        every = {"ymd": (first, second, third)} | every
        every = {name: (2000 + one[0], *one[1:]) for name, one in every.items() if 2000 + one[0] in YEARS}
    if made[2] == b".":
        every.pop("mdy", None)
    return {name: one for name, one in every.items() if 1 <= one[1] <= 12 and 1 <= one[2] <= 31}


def _written(head: bytes, shipped: Stamp, end: int) -> Stamp:
    """Return the time at which the process wrote the line, if a shipper put its own time before it.

    The inner time has no zone: it is the whole hour by which it differs from the shipper's time, which comes later by
    the shipper's delay. Return the shipper's time if the line has no other, or if the difference fits no zone.
    """
    made = BEGINS.search(head, end) if b"-" in head[end:] else None  # most JSON lines have no second time
    if not made or made["zone"] or HALF.match(head, made.end()):
        return shipped
    inner = _made(int(made[1]), int(made[2]), int(made[3]), made)
    if not inner:
        return shipped
    offset = round((inner.at - shipped.at) / HOUR_MS) * HOUR_MS
    delay = shipped.at - (inner.at - offset)
    if abs(offset) > HIGHEST * 60_000 or not -SKEW <= delay <= DELAY:
        return shipped
    return shipped._replace(at=inner.at - offset, offset=offset)


def _of_any_order(made: re.Match[bytes], order: str) -> Stamp | None:
    every = _dates(made)
    if not every:
        return None
    name = order if order in every else next(iter(every))
    one = _made(*every[name], made)
    # RocketMQ 3 writes two digits of the year first, with hyphens.
    clear = order in every or (name == "ymd" and made[2] == b"-") or len(set(every.values())) == 1
    return one and one._replace(either="" if clear else name)


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
        parts = (made[9] or made["last"], made[7], made[8])
    name = parts[1].decode().lower()
    if name not in MONTHS:
        return None
    in_it = parts[0] is not None
    its = int(parts[0]) if in_it else year
    return _made(its + (2000 if its < 100 else 0), MONTHS.index(name) + 1, int(parts[2]), made, whole=in_it)


def _ms(digits: bytes | None) -> int:
    return int(digits[:3].ljust(3, b"0")) if digits else 0


def _made(year: int, month: int, day: int, made: re.Match[bytes], *, whole: bool = True) -> Stamp | None:
    hour, minute, second, part = made.group("hour", "minute", "second", "part")
    try:
        when = datetime(year, month, day, int(hour), int(minute), min(int(second or 0), 59), 0, UTC)
    except ValueError:
        return None
    zone, named = None, ""
    if "zone" in made.re.groupindex:
        zone = _offset(made["zone"]) if made["zone"] else None
        named = made["named"].decode() if made["named"] else ""
    offset = zone or 0
    return Stamp(ms_of(when) + _ms(part) - offset, zone is not None, True, whole, made.start(), "", offset, named)


def _offset(zone: bytes) -> int | None:
    """Return a zone's offset from UTC in ms; None if no zone has it."""
    found = re.search(rb"([+-])(\d\d?):?(\d\d)?$", zone)
    if not found:
        return 0
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    if minutes > HIGHEST or minutes % 15:
        return None
    return minutes * (60_000 if found[1] == b"+" else -60_000)


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
            one = _made(int(made[1]), int(made[2]), int(made[3]), made) if made else None
            minute = one.at if one else None
        seconds = head[17:]
        if minute is None or len(seconds) != 2 or not seconds.isdigit():
            return None
        return minute + min(int(seconds), 59) * 1000

    return read


PLAIN = re.compile(rb"(\d{4})-(\d\d)-(\d\d)[ T](?P<hour>\d\d):(?P<minute>\d\d):(?P<second>)(?P<part>)")
