"""Rewrite times in uncommon notations: Chinese signs, 12 hours, no punctuation, and weekdays."""

import re

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
CHINESE = ("十一", "十二", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十")
"""Chinese numbers of months, 11 and 12 first because they contain shorter ones."""
NAMES = {f"{name}月": MONTHS[(place + 10) % 12] for place, name in enumerate(CHINESE)}
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
CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
BEFORE = re.compile(rf"({'|'.join(HALVES)}) ?({CLOCK})")
AFTER = re.compile(rf"({CLOCK}) ?({'|'.join(HALVES)})")
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
    text = NUMBERED.sub(lambda made: MONTHS[int(made[1]) - 1] if 0 < int(made[1]) < 13 else made[0], text)
    text = OF_DATE.sub(lambda made: "-" if made[1] else " ", text)
    return text.encode("ascii", "replace")
