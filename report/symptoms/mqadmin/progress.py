"""A group's progress, queue by queue, as ``mqadmin consumerProgress -g GROUP`` and the dashboard show it.

Source: ConsumerProgressSubCommand, 3.2.6, 4.9.8, 5.3.3 and 5.5.0, and rocketmq-dashboard's consumer page.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

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
