"""Tab-separated files of recorded results: columns, and readers of common cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import TOPIC, Reader, Row, expect, fitting, int32, one_of
from rebalance_proofs.recorded.text import quoted


@dataclass(frozen=True)
class Table:
    """Rows of one tab-separated file."""

    columns: Mapping[str, Reader]
    """Column -> reader of its cells, in the order of the file."""
    headings: Sequence[str] = ()
    """Name of a column -> its heading in the file, if they differ."""

    def check_header(self, text: str, *known: dict[Any, Any]) -> None:
        """Raise ``RowError`` unless a header contains the columns' headings.

        ``text`` is the header after its ``#``. ``known``: dictionaries of other files, for tables whose headers contain
        more.
        """
        header = "\t".join(self.headings or self.columns)
        expect(text == header, f"the header is not #{header}")

    def read(self, text: str) -> Row:
        """Parse a line into a row. Raises ``RowError`` unless it has a cell for each column."""
        cells, names = text.split("\t"), ", ".join(self.columns)
        expect(len(cells) == len(self.columns), f"{len(cells)} columns, expected {len(self.columns)} ({names})")
        return Row(self.columns, dict(zip(self.columns, cells, strict=True)))


def is_number(text: str) -> bool:
    """Return True for a number of at most 10 digits as ``str`` writes it.

    ``int`` would accept other texts as well.
    """
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 10 and str(int(text)) == text


number = fitting(is_number, "not a number", int)
flag = one_of({"0": False, "1": True})


def queues(text: str, q: int, what: str) -> list[MessageQueue]:
    """Return ``q`` queues, written ``broker:queueId,broker:queueId``."""
    found = []
    for item in text.split(","):
        broker_name, colon, queue_id = item.rpartition(":")
        expect(colon, f"{what} has {quoted(item)}, which is not broker:queueId")
        found.append(MessageQueue(TOPIC, broker_name, int32(number(queue_id, "queueId"))))
    expect(len(found) == q, f"{what} has {len(found)} queues, q is {q}")
    return found


def queues_text(mq_all: Sequence[MessageQueue]) -> str:
    """Return queues as ``broker:queueId,broker:queueId``; the inverse of ``queues``."""
    return ",".join(f"{queue.broker_name}:{queue.queue_id}" for queue in mq_all)


def client_ids(text: str, c: int, what: str) -> list[str]:
    """Return ``c`` client ids, separated by commas."""
    found = text.split(",")
    expect("" not in found, f"{what} has an empty client id")
    expect(len(found) == c, f"{what} has {len(found)} client ids, c is {c}")
    return found
