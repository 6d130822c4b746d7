"""Parse ``mqadmin consumerProgress -g GROUP``, which prints offsets and lag queue by queue.

Source: ConsumerProgressSubCommand, 4.9.8, 5.3.3 and 5.5.0.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable

__all__ = ["HEAD", "NOBODY", "Progress", "Queue", "QueueProgress", "progress"]

HEAD = ("#Topic", "#Broker Name", "#QID", "#Broker Offset", "#Consumer Offset")
"""The first columns of the table's heading.

The diff follows. Optional columns are a client before the diff, and messages in flight and a time after it.
"""
CLIENT, DIFF, INFLIGHT, TIME = "#Client IP", "#Diff", "#Inflight", "#LastTime"
NOBODY = "N/A"
"""The text that mqadmin prints for a missing client or time."""
RETRY = "%RETRY%"

Queue = tuple[str, str, int]
"""(topic, broker, number). mqadmin cuts topics after 64 and brokers after 32 letters."""


@dataclass(frozen=True)
class QueueProgress:
    """One row of the table: a queue with its offsets and its client."""

    queue: Queue
    broker_offset: int
    consumer_offset: int
    client: str | None
    """Address of the queue's client; None if the table has no such column."""
    last: datetime | None
    """Store time of the last consumed message; None if missing."""

    @property
    def diff(self) -> int:
        """The number of messages that the consumer is behind."""
        return self.broker_offset - self.consumer_offset

    @property
    def retries(self) -> bool:
        """True for a retry queue."""
        return self.queue[0].startswith(RETRY)


@dataclass(frozen=True)
class Progress:
    """The whole table of a group's queues."""

    rows: tuple[QueueProgress, ...]
    with_clients: bool
    cut: str = ""
    """A clause that says why rows seem to be missing; empty if the table seems complete."""
    whole: bool = False
    """True if mqadmin's total below the table equals the sum of its rows."""


def progress(lines: Sequence[tuple[int, str]]) -> Progress:
    """Parse the table from (line number, line) pairs; the first line is its heading. Raises ``NotReadable``."""
    number, heading = lines[0]
    columns = tuple(" ".join(found.split()) for found in re.findall(r"#[^#]+", heading))
    client, inflight = CLIENT in columns, INFLIGHT in columns
    time = [TIME] if TIME in columns else []  # 3.x prints no total.
    expected = (*HEAD, *([CLIENT] if client else []), DIFF, *([INFLIGHT] if inflight else []), *time)
    if columns != expected:
        raise NotReadable(f"line {number}: unknown columns in a heading of consumerProgress: {heading.strip()}")
    rows: list[QueueProgress] = []
    cut, total = "", None
    for index, (place, line) in enumerate(lines[1:], 1):
        if not line.strip() or line.startswith("Consume "):
            total = _total(lines[index:])
            break
        if index == len(lines) - 1 and len(line.split()) < len(expected) - 1 and rows:
            cut = f"its last line, {place}, ends within a row"
            break
        rows.append(_row(place, line, client, inflight))
    if not rows:
        raise NotReadable(f"line {number}: the table of consumerProgress has no rows")
    diffs = sum(row.diff for row in rows)
    if total is not None and total != diffs:
        cut = f"the diffs of its rows add up to {diffs:,}, and mqadmin's total is {total:,}"
    return Progress(tuple(rows), client, cut, total == diffs)


def _total(lines: Sequence[tuple[int, str]]) -> int | None:
    """Return mqadmin's total of all diffs below the table; None if it is missing."""
    found = (re.match(r"(?:Consume )?Diff Total: (-?\d+)\s*$", line.strip()) for _, line in lines)
    return next((int(one[1]) for one in found if one), None)


def _row(number: int, line: str, with_client: bool, with_inflight: bool) -> QueueProgress:
    cells = line.split()
    fixed = len(HEAD) + with_client + 1 + with_inflight
    numbers = [place for place in range(2, fixed) if not (with_client and place == len(HEAD))]
    if len(cells) < fixed or any(not re.fullmatch(r"-?\d+", cells[place]) for place in numbers):
        raise NotReadable(f"line {number}: not a row of consumerProgress: {line.strip()}")
    found = QueueProgress(
        (cells[0], cells[1], int(cells[2])),
        int(cells[3]),
        int(cells[4]),
        cells[len(HEAD)] if with_client else None,
        _time(number, " ".join(cells[fixed:])),
    )
    if found.diff != int(cells[len(HEAD) + with_client]):
        raise NotReadable(f"line {number}: the diff does not match the offsets: {line.strip()}")
    return found


def _time(number: int, text: str) -> datetime | None:
    if text in ("", NOBODY):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
    except ValueError:
        raise NotReadable(f"line {number}: {text!r} is not a time of consumerProgress") from None
