"""Parse log lines of one wording: values, the fact made of them, and queues in a text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import Line

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
