"""Formats for times, queues and log positions of findings, for terminal and page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePath

from rebalance_proofs.language import gettext, later, ngettext
from rebalance_proofs.recorded.audit.connections import CLOSED, SHUT, UNREGISTERED
from rebalance_proofs.recorded.audit.finding import Finding, Interval
from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.recorded.logs.lines import decoded, plain
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, pieces
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.logs.times import DAY, date_of
from rebalance_proofs.recorded.rows import printable

# Read the log lines that findings cite, for the page.

LARGEST = 256 << 20
"""Files are read up to this many bytes; lines that come later are not quoted."""
LONGEST_QUOTATION = 400
"""Longest quotation in characters."""


def quoted(found: Sequence[Source], wanted: Iterable[Where]) -> dict[Where, str]:
    """Return the texts of log lines, by (file, line number). Lines that cannot be read are left out."""
    numbers: dict[str, set[int]] = {}
    for file, number in wanted:
        numbers.setdefault(file, set()).add(number)
    said: dict[Where, str] = {}
    for source in {one.whole or one.name: one for one in found}.values():
        name = source.whole or source.name
        if name in numbers:
            try:
                for number, line in _lines(source, numbers[name]):
                    said[name, number] = line
            except (OSError, *UNREADABLE):
                continue  # the audit reports damaged files itself
    return said


def _lines(source: Source, numbers: set[int]) -> Iterable[tuple[int, str]]:
    before, read = 0, 0
    waiting = sorted(numbers, reverse=True)
    for piece in pieces(source.path):
        ends = piece.count(b"\n") + (not piece.endswith(b"\n"))
        if waiting and waiting[-1] <= before + ends:
            lines = piece.split(b"\n")
            while waiting and waiting[-1] <= before + ends:
                number = waiting.pop()
                yield number, _short(lines[number - before - 1])
        before += ends
        read += len(piece)
        if not waiting or read > LARGEST:
            return


def _short(line: bytes) -> str:
    text = printable(decoded(plain(line[: 8 * LONGEST_QUOTATION])).strip())
    return text if len(text) <= LONGEST_QUOTATION else f"{text[: LONGEST_QUOTATION - 1]}…"


# Texts of the audit's page that do not depend on the logs, in the language in use.


def labels() -> dict[str, str]:
    """Return the texts of the page, by their names in the template."""
    return {
        "kind": gettext("Audit of logs"),
        "skip": gettext("Skip to the content"),
        "about": gettext(
            "models RocketMQ's clients and brokers, and checks how consumer groups divide queues. This page is one "
            "self-contained file."
        ),
        "index": gettext("What went wrong"),
        "by_kind": gettext("Findings by kind"),
        "finding": gettext("Finding"),
        "group": gettext("Group"),
        "first": gettext("First"),
        "longest": gettext("Longest"),
        "certainty": gettext(
            "SEEN: log lines of both sides show the finding. POSSIBLE: an end is not logged, a consumer is silent, or "
            "a clock is unknown. Findings in bold fail the audit."
        ),
        "of_group": gettext("Group {name}"),
        "more_owners": gettext("and {number} more"),
        "two": gettext("two owners"),
        "nobody": gettext("no owner"),
        "zoom_in": gettext("Zoom in"),
        "zoom_out": gettext("Zoom out"),
        "earlier": gettext("Earlier"),
        "later": gettext("Later"),
        "whole": gettext("Whole time"),
        "mouse": gettext("Drag to move; Ctrl and wheel to zoom."),
        "chart": gettext("Owners of each queue over time, and findings"),
        "lanes": gettext(
            "Times {zone}. Each lane is a queue, or several queues with the same owners. Where consumers own a queue "
            "at once, each has a part of the lane."
        ),
        "left_out": gettext("{number} more lanes are not shown; --json has all."),
        "nothing": gettext("Nothing found."),
        "show": gettext("Show in timeline"),
        "cause": gettext("Likely cause"),
        "causes": gettext("Likely causes"),
        "claims": gettext("Claims: {claims}"),
        "explains": gettext("{command} explains this cause."),
        "evidence": gettext("Evidence"),
        "none": gettext("none"),
        "more_lines": gettext("{number} more lines"),
        "json_lines": gettext("--json has {number} more."),
        "repeats": gettext("{number} times, {period}; the longest is above"),
        "of_finding": gettext("Repeats of the finding"),
        "when": gettext("When"),
        "queues": gettext("Queues"),
        "consumers": gettext("Consumers"),
        "timeline": gettext("Timeline"),
        "more_repeats": gettext("{number} more are not listed; --json has all."),
        "text": gettext("Text version, with the coverage of the logs"),
        "show_text": gettext("Show the text"),
        "said": gettext("{members}: {detail}."),
        "sentence": gettext("{sentence}."),
    }


def chart_labels() -> dict[str, str]:
    """Return the texts of a timeline, by their names in its script."""
    return {
        "turn": gettext("several in turn"),
        "mainly": gettext("{name}, mainly"),
        "during": gettext("{name}, {time}"),
        "of": gettext("{lane}: {owner}"),
        "times": gettext("{number} times: {finding}"),
        "two": gettext("Two owners"),
        "nobody": gettext("No owner"),
        "events": gettext("Notifications (light), rebalances (dark)"),
    }


AMBIGUOUS = {
    "ymd": later("its dates do not show whether year or day comes first: year first is assumed"),
    "dmy": later("its dates do not show whether day or month comes first: day first is assumed"),
}
"""Assumed order of an ambiguous date -> sentence about it."""
HOW = {
    SHUT: later("shut down on purpose"),
    UNREGISTERED: later("unregistered on purpose"),
    CLOSED: later("its connection closed, and it did not register again"),
}
"""How a consumer left -> words about it."""
YEAR = 365
"""Number of days."""
MOST = 4
"""Largest number of log positions that are listed for a finding."""


SYSTEM_PREFIX = "CID_RMQ_SYS_"
"""Prefix of the groups with which brokers and proxies consume (``MixAll.CID_RMQ_SYS_PREFIX``)."""
SYSTEM_GROUPS = (
    *("TOOLS_CONSUMER", "FILTERSRV_CONSUMER", "SCHEDULE_CONSUMER", "__MONITOR_CONSUMER", "SELF_TEST_C_GROUP"),
    *("CID_ONSAPI_OWNER", "CID_ONSAPI_PERMISSION", "CID_ONSAPI_PULL", "CID_ONS-HTTP-PROXY"),
)
"""Other groups that RocketMQ itself uses, such as mqadmin's (``MixAll``)."""


def system_words(group: str) -> str:
    """Return a remark about a group that RocketMQ itself uses; "" for other groups."""
    if group.startswith(SYSTEM_PREFIX):
        return gettext("RocketMQ itself uses this group ({prefix}*): no application consumes with it.").format(
            prefix=SYSTEM_PREFIX
        )
    if group in SYSTEM_GROUPS:
        return gettext("RocketMQ itself uses this group: no application consumes with it.")
    return ""


def _time(at: int, shown: int) -> datetime:
    return date_of(at + shown)


def clock(at: int | None, shown: int) -> str:
    """Return a time of day such as ``19:17:22.826``, or ``?`` for None.

    ``shown``: offset in ms of the time zone in which times are shown.
    """
    return "?" if at is None else _time(at, shown).strftime("%H:%M:%S.%f")[:-3]


def day(at: int, shown: int) -> str:
    """Return a date such as ``2026-11-23``.

    A time of day without a date is one of 1970 (``Clock.day``): it has no date on its first day, then ``day 2``.
    """
    if 0 <= (number := (at + shown) // DAY) < YEAR:
        return gettext("day {number}").format(number=number + 1) if number else ""
    return _time(at, shown).strftime("%Y-%m-%d")


def moment(at: int, shown: int) -> str:
    """Return a date and time of day such as ``2026-11-23 19:17:22.826``."""
    return f"{day(at, shown)} {clock(at, shown)}".lstrip()


def zone(shown: int, stated: bool = False) -> str:
    """Return a time zone such as ``+08:00``; for offset 0 ``UTC`` if a log states it, else "as in the logs"."""
    if not shown:
        return "UTC" if stated else gettext("as in the logs")
    hours, rest = divmod(abs(shown) // 60_000, 60)
    return f"{'-' if shown < 0 else '+'}{hours:02}:{rest:02}"


def how_long(ms: int) -> str:
    """Return a duration such as ``34.0 s``, ``2 min 30 s`` or ``1 h 5 min``."""
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def between(one: Finding, shown: int) -> str:
    """Return a finding's start, end and duration."""
    at, until = one.at, one.until
    if at is None:
        return gettext("without a date")
    if until is None or until == at:
        return moment(at, shown)
    long = how_long(one.long) if one.long else how_long(until - at)
    return f"{period(at, until, shown)}, {long}"


def period(at: int, until: int, shown: int, *, ms: bool = True) -> str:
    """Return start and end of a period; the end has a date only if it is on another day."""
    first, last = day(at, shown), day(until, shown)
    begins, ends = (clock(one, shown)[: None if ms else 8] for one in (at, until))
    return f"{first} {begins} .. {f'{last} ' if last != first else ''}{ends}".lstrip()


def queues(intervals: Iterable[Interval]) -> str:
    """Return queues by topic and broker, such as ``T1 b0 4-7``."""
    by_broker: dict[tuple[str, str], list[int]] = {}
    for one in intervals:
        if one.queue:
            by_broker.setdefault(one.queue[:2], []).append(one.queue[2])
    told = [f"{topic} {broker} {ranges(numbers)}".replace("  ", " ") for (topic, broker), numbers in by_broker.items()]
    return printable(", ".join(told))


def lines_words(number: int) -> str:
    """Return a number of log lines in words: ``1 line``."""
    return ngettext("{number} line", "{number} lines", number).format(number=f"{number:,}")


def ranges(numbers: Sequence[int]) -> str:
    """Return sorted numbers as ranges, such as ``0-3, 5``."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def name(queue: Queue) -> str:
    """Return a queue's name, such as ``T1 b0 4``."""
    return printable(f"{queue[0]} {queue[1]} {queue[2]}")


def short(files: Iterable[str]) -> dict[str, str]:
    """Return path -> its shortest end that no other path has, such as ``pod-a/rocketmq_client.log``."""
    parts = {file: PurePath(file).parts for file in files}
    often = Counter(own[-n:] for own in parts.values() for n in range(1, len(own) + 1))
    found = {}
    for file, own in parts.items():
        many = next((n for n in range(1, len(own)) if often[own[-n:]] == 1), len(own))
        found[file] = str(PurePath(*own[-many:])) if own else file
    return found


def places(evidence: Sequence[Where], names: Mapping[str, str], most: int = MOST) -> list[str]:
    """Return log positions such as ``c0.log:344``. ``names``: path -> its short form; others are whole."""
    told = [printable(f"{names.get(file, file)}:{line}") for file, line in evidence[:most]]
    return told + ([gettext("{number} more").format(number=len(evidence) - most)] if len(evidence) > most else [])
