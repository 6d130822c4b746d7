"""How one wording is read: its values, the fact made of them, and the queues in a text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import Line

__all__ = ["QUEUE", "Make", "Reading", "committed", "fact_of", "number_in", "queues_in"]

QUEUE = r"(?:MessageQueue|MQ) ?\[[^\]]*\]|\{[^}]*\}|\[topic=\\?\"[^\]]*\]"
"""Where a queue can stand."""
MQ = re.compile(
    r"(?:MessageQueue|MQ) ?\[topic=(.+?)[, ]{1,2}brokerName=(.+?)[, ]{1,2}queueId=(\d{1,9})\]"
    r"|^\[topic=\\?\"(.+?)\\?\", brokerName=\\?\"(.+?)\\?\", queueId=\\?\"(\d{1,9})\\?\"\]"
    r"|\{(?=[^{}]{0,1000}brokerName\\?\"? ?:)([^{}]{1,2000})\}"
)
"""A queue, as Java, Go and C++ write it, as Node does, or as JSON."""
JAVAS = re.compile(r"MessageQueue \[topic=([^,\[\]{}]+), brokerName=([^,\[\]{}]+), queueId=(\d{1,9})\]")
"""A queue in the commonest form alone, which is found faster."""
KEYS = re.compile(r"\\?\"?\b(topic|brokerName|queueId)\\?\"? ?: ?\\?\"?([^\\\",}]+)")

Make = Callable[[dict[str, str], str], Fact | None]
"""Makes the fact of a line's fields and its whole text."""


@dataclass(frozen=True)
class Reading:
    """How one line is read."""

    kind: Kind
    line: Line
    fields: tuple[str, ...]
    """Name of each hole: a field of the fact, or "" for what is not used."""
    make: Make | None = None
    """Makes the fact of the fields and the whole text; None where the fields are all. None as its result: cut short."""
    part: str = ""
    """The literal part by which lines are chosen; empty for the longest."""
    more: str = ""
    """What the line says by its words alone, if it has no ``make``; empty for what its fields say."""


def queues_in(text: str) -> tuple[Queue, ...]:
    """All queues named in the text, in order."""
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
    """One object for all lines that name a queue: results name all of them again and again."""
    return topic, broker, number


def number_in(text: str) -> int:
    """The number that the text begins with; -1 for none."""
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
    """The fact with the values of these fields."""
    found = queues_in(told["queue"]) if "queue" in told else ()
    queue = found[0] if found else None
    group, client, topic, rest = (told.get(name, "").strip() for name in ("group", "client", "topic", "more"))
    if queue and not topic:
        topic = queue[0]
    said = rest if more is None else more
    return Fact(kind, 0, None, group, client, queue, topic, said, numbers=numbers, queues=queues)


def committed(told: dict[str, str], text: str) -> Fact | None:
    """A commit of one queue's offset."""
    offset = re.match(r"\s*(-?\d{1,18})(?![\w.…]|\s*\.\.)", told["offset"])
    if not offset or not queues_in(told["queue"]):
        return None
    more = "given up" if "[persist] " in text else ""
    return fact_of(Kind.COMMITTED, told, more=more, numbers=(int(offset[1]), int(offset[1])))
