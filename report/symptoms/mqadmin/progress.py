"""A group's progress, queue by queue, as ``mqadmin consumerProgress -g GROUP`` and the dashboard show it.

Source: ConsumerProgressSubCommand, 3.2.6, 4.9.8, 5.3.3 and 5.5.0, and rocketmq-dashboard's consumer page.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rebalance_proofs.language import language
from rebalance_proofs.recorded.knowledge.pasted_texts import Kind, kinds, word
from rebalance_proofs.recorded.rows import printable

NOBODY = "N/A"
"""The text that mqadmin prints for a missing client or time."""
RETRY, DLQ = "%RETRY%", "%DLQ%"
UNNAMED = "(topic)"
"""The name of a topic that is not pasted."""
TOTAL = re.compile(r"(?:Consume )?(?P<name>TPS|Diff Total|Inflight Total): *(?P<number>-?[\d.]+)\s*$", re.I)

Queue = tuple[str, str, int]
"""(topic, broker, number). mqadmin cuts topics after 64 and brokers after 32 letters."""


@dataclass(frozen=True)
class QueueProgress:
    """One row of the table: a queue with its offsets and its client."""

    queue: Queue
    broker_offset: int
    consumer_offset: int
    client: str | None
    """Address or id of the queue's client; None if the table has no such column."""
    last: datetime | None
    """Store time of the last consumed message; None if missing."""
    inflight: int | None = None
    """Messages that were pulled and are not committed; None if the table has no such column."""

    @property
    def diff(self) -> int:
        """The number of messages that the consumer is behind."""
        return self.broker_offset - self.consumer_offset

    @property
    def retries(self) -> bool:
        """True for a queue of messages that wait for a retry, or of dead letters."""
        return self.queue[0].startswith((RETRY, DLQ))


@dataclass(frozen=True)
class Progress:
    """The whole table of a group's queues."""

    rows: tuple[QueueProgress, ...]
    with_clients: bool
    """True if some row names a client: mqadmin prints N/A in all rows without ``-s true``."""
    cut: str = ""
    """A clause that says why rows seem to be missing; empty if the table seems complete."""
    whole: bool = False
    """True if mqadmin's total below the table equals the sum of its rows."""
    group: str = ""
    asked_clients: bool | None = None
    """Whether the command above the table has ``-s true``; None without a command."""
    tps: float | None = None
    ids: bool = False
    """True if clients are named by id, as in the dashboard, and not by address."""


def queue_row(cells: Mapping[str, str], topic: str = "") -> QueueProgress:
    """Return the row of a table with these cells."""
    client = (cells["client"] or NOBODY) if "client" in cells else None
    return QueueProgress(
        (cells.get("topic") or topic, cells.get("broker", ""), int(cells["qid"])),
        number(cells["broker_offset"]),
        number(cells["consumer_offset"]),
        NOBODY if client in ("null", "-", "None") else client,
        time_of(cells.get("last", "")),
        number(cells["inflight"]) if cells.get("inflight") else None,
    )


def number(text: str) -> int:
    """Return the number in a cell, which can have commas between thousands."""
    return int(text.replace(",", ""))


def time_of(text: str) -> datetime | None:
    """Return the time in a cell; None if it has none."""
    if text.isdigit():
        return datetime.fromtimestamp(int(text) / 1000, UTC).replace(tzinfo=None) if int(text) < 10**14 else None
    found = re.match(r"(\d{4})[-/](\d\d?)[-/](\d\d?)[ T](\d\d?):(\d\d):(\d\d)", text)
    if not found:
        return None
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        when = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    return when if when.year > 1970 else None


def totals(lines: Iterable[str]) -> dict[str, float]:
    """Return the totals below a table by name in lower case: ``tps``, ``diff total``, ``inflight total``."""
    found = (TOTAL.match(line.strip()) for line in lines)
    return {one["name"].casefold(): float(one["number"]) for one in found if one}


# An observation in a table, and how queues, times and lists are written in it.

LATE = timedelta(minutes=2)
"""A queue counts as late if its last message was stored this much before the newest one of all queues.

After the same time without a pull, a process queue's pull counts as expired.
"""
MOST = 6
"""Largest number of queues or members that a sentence names; further ones are only counted."""


@dataclass(frozen=True)
class Shown:
    """An observation in a table that indicates causes, with the rows that show it."""

    kind: Kind
    words: str
    """The observation as a sentence, with the values of the rows."""
    queues: tuple[Queue, ...] = ()


def shown(kind: str, queues: Iterable[Queue] = (), **values: object) -> Shown:
    """Return an observation of this kind, in the language in use."""
    found = kinds()[kind]
    named = tuple(queues)
    texts = {name: printable(value) if isinstance(value, str) else value for name, value in values.items()}
    words = str(found.shows).format(queues=printable(queues_named(named)), **texts)
    return Shown(found, sentence(words), named)


def sentence(words: str) -> str:
    """Return a sentence with a capital first; in Chinese, a sentence can begin with the name of a broker."""
    return words if language() == "zh" else words[:1].upper() + words[1:]


def clauses(*words: str) -> str:
    """Join the clauses that are not empty."""
    return ("；" if language() == "zh" else "; ").join(filter(None, words))


def queues_named(queues: Iterable[Queue]) -> str:
    """Return the names of queues by broker: ``queue 1 of broker-a (topic)``."""
    by_broker: dict[tuple[str, str], list[int]] = {}
    for topic, broker, number in queues:
        by_broker.setdefault((topic, broker), []).append(number)
    named = []
    for (topic, broker), numbers in list(by_broker.items())[:MOST]:
        text = ", ".join(map(str, numbers[:MOST]))
        if len(numbers) > MOST:
            text = f"{text}, {word('more', many=len(numbers) - MOST)}"
        named.append(f"{word('queue' if len(numbers) == 1 else 'queues', numbers=text, broker=broker)} ({topic})")
    if len(by_broker) > MOST:
        named.append(word("more", many=sum(map(len, list(by_broker.values())[MOST:]))))
    return joined(named)


def joined(items: Iterable[str]) -> str:
    """Join short items in the language in use."""
    every = list(items)
    if language() == "zh":
        return "、".join(every)
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def long(time: timedelta) -> str:
    """Return a time rounded to two units: ``7 h 9 min``, ``3 days 2 h``."""
    seconds = int(time.total_seconds())
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    names = ("天", "小时", "分", "秒") if language() == "zh" else ("days" if days != 1 else "day", "h", "min", "s")
    parts = [(days, names[0]), (hours, names[1]), (minutes, names[2]), (seconds % 60, names[3])]
    first = next((place for place, (many, _) in enumerate(parts) if many), 3)
    return (
        " ".join(f"{many} {name}" for many, name in parts[first : first + 2] if many or len(parts) == 1)
        or f"0 {names[3]}"
    )
