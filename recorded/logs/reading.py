"""Parse log lines of one wording: values, the fact made of them, and queues in a text."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.recorded.logs.sights import Sight, seen

# How the times of a log file are converted, and counts of its lines.


@dataclass(frozen=True)
class Clock:
    """How the times in a log file are converted to ms since 1970."""

    zone: int = 0
    """Offset of the clock from UTC in ms, for lines that name no zone."""
    shift: int = 0
    """Correction in ms that makes the log's clock agree with the other logs' clocks."""
    year: int = 1970
    """Year for dates without a year."""
    day: int = 0
    """Day of lines without a date, as its start in ms since 1970; 0 if no file of the audit has a date."""
    order: str = ""
    """Order of year, month and day in dates that do not begin with four digits, such as ``mdy``; "" if unknown."""


@dataclass
class Tally:
    """Counts of parsed and skipped lines of a log file."""

    lines: int = 0
    dated: int = 0
    told: int = 0
    """Number of lines that contain a fact."""
    named: dict[str, int] = field(default_factory=dict)
    """Name of a known line -> how often it occurs."""
    sights: dict[str, Sight] = field(default_factory=dict)
    """Name of a known line -> its occurrences, without those that belong to a fact about a named group."""
    cut: int = 0
    """Number of lines with a known wording that could not be parsed.

    They are truncated, or come from another version.
    """
    example: str = ""
    """The first line with a known wording that could not be parsed, with its number."""
    back: int = 0
    """Number of times that the log's clock steps back by more than a second."""
    no_year: bool = False
    no_date: bool = False
    dateless: bool = False
    """True if no file of the audit has a date, so that times of day are all that is known."""
    either: str = ""
    """Order of year, month and day that is assumed for ambiguous dates, such as ``dmy``."""
    truncated: bool = False
    """True if the log ends within a line."""
    pop: int = 0
    """Number of lines about pop consumption, which is not modelled."""
    grpc: int = 0
    """Number of lines of the gRPC SDKs or the proxy, which are not modelled."""
    relative: bool = False
    """True if lines about a group have times since the start of the process or the minute instead of a time of day."""
    turned: list[int] = field(default_factory=list)
    """Own number of each line, if the log has its newest line first and was read from its end; otherwise empty."""
    zone_name: str = ""
    """Name of a time zone that lines state without its offset, such as ``CST``."""
    long: int = 0
    """Number of lines that are too long to be parsed wholly."""

    def count(self, name: str, many: int = 1) -> None:
        """Count lines with a known wording; a line without one has the name ""."""
        if name and many:
            self.named[name] = self.named.get(name, 0) + many

    def see(self, fact: Fact, at: int | None, number: int, line: bytes = b"") -> None:
        """Note a known line that no fact about a named group reports."""
        sight = self.sights.get(fact.name)
        if sight is None:
            self.sights[fact.name] = seen(fact, at, number, line)
        else:
            sight.add(fact, at, number)


QUEUE = r"(?:MessageQueue|MQ) ?\[[^\]]*\]|\{[^}]*\}|\[topic=\\?\"[^\]]*\]"
"""Regular expression for the text of a queue."""
MQ = re.compile(
    r"(?:MessageQueue|MQ) ?\[topic=(.+?)[, ]{1,2}brokerName=(.+?)[, ]{1,2}queueId=(\d{1,9})\]"
    r"|^\[topic=\\?\"(.+?)\\?\", brokerName=\\?\"(.+?)\\?\", queueId=\\?\"(\d{1,9})\\?\"\]"
    r"|\{(?=[^{}]{0,1000}brokerName\\?\"? ?:)([^{}]{1,2000})\}"
)
"""Pattern of a queue as Java, Go and C++, Node, or JSON write it."""
JAVAS = re.compile(r"MessageQueue \[topic=([^,\[\]{}]+), brokerName=([^,\[\]{}]+), queueId=(\d{1,9})\]")
"""Pattern of a queue in the most common form only (Java's), which is found faster."""
KEYS = re.compile(r"\\?\"?\b(topic|brokerName|queueId)\\?\"? ?: ?\\?\"?([^\\\",}]+)")

Make = Callable[[dict[str, str], str], Fact | None]
"""Function (field name -> text, whole line) -> fact; it returns None for a truncated line."""


@dataclass(frozen=True)
class Reading:
    """Parser of one kind of log line."""

    kind: Kind
    line: Line
    fields: tuple[str, ...]
    """Names of the wording's placeholders: a field of the fact each, or "" for an unused value."""
    make: Make | None = None
    """Function that makes the fact; None if the values of ``fields`` suffice.

    The function returns None for a truncated line.
    """
    part: str = ""
    """Literal part of the wording by which lines are selected; "" for the longest part."""
    more: str = ""
    """Value of the fact's field ``more`` that the wording implies, if there is no ``make``.

    If it is empty, the value comes from ``fields``.
    """


def queues_in(text: str) -> tuple[Queue, ...]:
    """Return all queues named in the text, in order."""
    as_java = JAVAS.findall(text)
    if as_java and len(as_java) == text.count("queueId"):
        return tuple(_queue(topic, broker, int(number)) for topic, broker, number in as_java)
    found = []
    for one in MQ.finditer(text):
        if one[7] is None:
            topic, broker, number = (one[1], one[2], one[3]) if one[1] else (one[4], one[5], one[6])
        else:
            keys: dict[str, str] = {}
            for key, value in KEYS.findall(one[7]):
                keys.setdefault(key, value.strip())
            topic, broker, number = (keys.get(key, "") for key in ("topic", "brokerName", "queueId"))
        if topic and broker and number.isascii() and number.isdigit() and len(number) < 10:
            found.append(_queue(topic, broker, int(number)))
    return tuple(found)


@lru_cache(100_000)
def _queue(topic: str, broker: str, number: int) -> Queue:
    """Return the queue; equal queues are the same object for all lines, to save memory."""
    return topic, broker, number


def number_in(text: str) -> int:
    """Return the number with which the text begins, or -1."""
    found = re.match(r"\s*(-?\d{1,18})", text)
    return int(found[1]) if found else -1


def fact_of(
    kind: Kind,
    told: dict[str, str],
    *,
    more: str | None = None,
    numbers: tuple[int, ...] = (),
    queues: tuple[Queue, ...] = (),
) -> Fact:
    """Return a fact of this kind.

    ``told``: field name -> its text in the line. The other arguments are further content.
    """
    found = queues_in(told["queue"]) if "queue" in told else ()
    queue = found[0] if found else None
    group, client, topic, rest = (told.get(name, "").strip() for name in ("group", "client", "topic", "more"))
    if queue and not topic:
        topic = queue[0]
    said = rest if more is None else more
    return Fact(kind, 0, None, group, client, queue, topic, said, numbers=numbers, queues=queues)


def committed(told: dict[str, str], text: str) -> Fact | None:
    """Return the fact of a line about a commit of one queue's offset.

    Return None if the line is truncated.
    """
    offset = re.match(r"\s*(-?\d{1,18})(?![\w.…]|\s*\.\.)", told["offset"])
    if not offset or not queues_in(told["queue"]):
        return None
    more = "given up" if "[persist] " in text else ""
    return fact_of(Kind.COMMITTED, told, more=more, numbers=(int(offset[1]), int(offset[1])))


# Parsers for log lines of the C++ client.
# In releases 1 and 2, few lines name the group. The branch re_dev logs the same lines as Java.

CPP_SIZES = re.compile(r"Total Queue ?(?:#:|:#) ?(\d+), Total Consumer ?(?:#:|:#) ?(\d+),?\s+Allocated Queues are:")


def _cpp_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = CPP_SIZES.search(text)
    if not sizes:
        return None
    queues = queues_in(text[sizes.end() :])
    return fact_of(Kind.RESULT, told, numbers=(int(sizes[1]), int(sizes[2]), len(queues)), queues=queues)


CPP = (
    Reading(Kind.COMMITTED, lines.CPP_COMMITS, ("queue", "offset"), committed),
    Reading(Kind.NO_IDS, lines.CPP_NO_IDS, ("group", "")),
    Reading(Kind.RESULT, lines.CPP_SHARE_CHANGED, ("group", "topic", "client"), _cpp_result),
    Reading(Kind.ADDED, lines.CPP_ADDED, ("queue", "")),
    Reading(Kind.ADDED, lines.CPP_PULL_FROM, ("queue", "", "group"), more=FIRST_PULL),
    Reading(Kind.REMOVED, lines.CPP_REMOVED, ("queue",)),
    Reading(Kind.REMOVED, lines.CPP_NOT_PULLED, ("queue",), more="not pulled"),
    Reading(Kind.NOT_ADDED, lines.CPP_NO_START, ("queue",)),
    Reading(Kind.LOCK_FAILED, lines.CPP_LOCK_DENIED, ("queue",)),
    Reading(Kind.NOTIFIED, lines.CPP_NOTIFIED, ("group",)),
)


# Parsers for log lines of the Go client.
# The lines have values as keys beside the message, as text or JSON.

WHY = re.compile(r'underlayError\\?"?[=:] ?\\?"?([^"\\]+)')


def _value(text: str, name: str) -> str:
    """Return the value of the key ``name`` in a line, as logrus or a JSON logger writes it."""
    found = re.search(rf'"?\b{name}"?[=:]\s*"?([^\s",}}\]]+)', text)
    return found[1] if found else ""


def _group(text: str) -> str:
    return _value(text, "[cC]onsumerGroup")


def _keyed_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = tuple(number_in(_value(text, name)) for name in ("mqAllSize", "cidAllSize", "rebalanceResultSize"))
    queues = queues_in(text)
    if len(set(queues)) < sizes[2]:
        return None
    group, client = _group(text), _value(text, "clientID")
    return Fact(Kind.RESULT, 0, None, group, client, topic=_value(text, "topic"), numbers=sizes, queues=queues)


def _keyed_group(kind: Kind) -> Make:
    """Return a function that makes the fact of a line about a group, and perhaps a topic."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group = _group(text)
        why = WHY.search(text)
        return Fact(kind, 0, None, group, topic=_value(text, "topic"), more=why[1] if why else "") if group else None

    return make


def _keyed_queue(kind: Kind) -> Make:
    """Return a function that makes the fact of a line about one queue."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group, queues = _group(text), queues_in(text)
        if not group or len(queues) != 1:
            return None
        reason = "not pulled" if "pull was expired" in text else ""
        return Fact(kind, 0, None, group, queue=queues[0], topic=queues[0][0], more=reason)

    return make


def _keyed_commit(told: dict[str, str], text: str) -> Fact | None:
    made, offset = _keyed_queue(Kind.COMMITTED)(told, text), number_in(_value(text, "offset"))
    return made._replace(numbers=(offset, offset)) if made and offset >= 0 else None


def _keyed_lock(told: dict[str, str], text: str) -> Fact | None:
    answer = {"true": Kind.LOCKED, "false": Kind.LOCK_FAILED}.get(_value(text, "lockOK"))
    return _keyed_queue(answer)(told, text) if answer else None


GO = (
    Reading(Kind.RESULT, lines.GO_SHARE_CHANGED, (), _keyed_result),
    Reading(Kind.DENIED, lines.GO_LOCK_DENIED, (), _keyed_queue(Kind.DENIED)),
    Reading(Kind.NOT_ADDED, lines.GO_NO_START, (), _keyed_queue(Kind.NOT_ADDED)),
    Reading(Kind.ADDED, lines.GO_ADDED, (), _keyed_queue(Kind.ADDED)),
    Reading(Kind.REMOVED, lines.GO_REMOVED, (), _keyed_queue(Kind.REMOVED)),
    Reading(Kind.COMMITTED, lines.GO_COMMITS, (), _keyed_commit),
    Reading(Kind.FORGOT, lines.OFFSET_FORGOTTEN, (), _keyed_queue(Kind.FORGOT)),
    Reading(Kind.GAVE_LOCK, lines.GO_UNLOCKS, (), _keyed_queue(Kind.GAVE_LOCK)),
    Reading(Kind.LOCK_FAILED, lines.GO_LOCK_ANSWERED, (), _keyed_lock),
    Reading(Kind.NOTIFIED, lines.GO_NOTIFIED, (), _keyed_group(Kind.NOTIFIED)),
    Reading(Kind.NO_IDS, lines.GO_NO_IDS, (), _keyed_group(Kind.NO_IDS)),
    Reading(Kind.BEGAN, lines.GO_BEGINS, (), _keyed_group(Kind.BEGAN)),
)
"""Parsers in the order in which they are tried.

A wording that contains another one comes first.
"""


# Parsers for log lines of the JavaScript client (ali-ons).


def _node_result(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line that the client logs at each rebalance.

    It contains only the result.
    """
    queues = queues_in(told["set"])
    told["topic"] = queues[0][0] if queues else ""
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, len(queues)), queues=queues)


NODE = (
    Reading(Kind.RESULT, lines.NODE_SHARE, ("group", "client", "set"), _node_result),
    Reading(Kind.ADDED, lines.NODE_ADDED, ("group", "queue", ""), more=REMOVES_SILENTLY),
    Reading(Kind.REMOVED, lines.NODE_NOT_PULLED, ("group", "queue"), more="not pulled"),
)
