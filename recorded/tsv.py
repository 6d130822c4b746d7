"""Rows of tab-separated vector files: cells, numbers, queues, ids, and positions per consumer."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import TOPIC, int32

Choice = TypeVar("Choice")


def cells(text: str, columns: Sequence[str]) -> list[str]:
    """The row's cells, one a column."""
    found = text.split("\t")
    if len(found) != len(columns):
        raise RowError(f"{len(found)} columns, expected {len(columns)} ({', '.join(columns)})")
    return found


def number(text: str, what: str) -> int:
    """A number as ``str`` writes it; anything else that ``int`` would read is refused."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or str(int(text)) != text:
        raise RowError(f"{what} is {quoted(text)}, not a number")
    return int(text)


def choice(text: str, choices: Mapping[str, Choice], what: str) -> Choice:
    """What one of a few words stands for."""
    if text not in choices:
        raise RowError(f"{what} is {quoted(text)}, not one of {', '.join(choices)}")
    return choices[text]


def flag(text: str, what: str) -> bool:
    """``0`` or ``1``."""
    return choice(text, {"0": False, "1": True}, what)


def queues(text: str, q: int, what: str) -> list[MessageQueue]:
    """``q`` queues, written ``broker:queueId,broker:queueId``."""
    found = []
    for item in text.split(","):
        broker_name, colon, queue_id = item.rpartition(":")
        if not colon:
            raise RowError(f"{what} has {quoted(item)}, which is not broker:queueId")
        found.append(MessageQueue(TOPIC, broker_name, int32(number(queue_id, "queueId"))))
    if len(found) != q:
        raise RowError(f"{what} has {len(found)} queues, q is {q}")
    return found


def queues_text(mq_all: Sequence[MessageQueue]) -> str:
    """The inverse of ``queues``."""
    return ",".join(f"{queue.broker_name}:{queue.queue_id}" for queue in mq_all)


def client_ids(text: str, c: int, what: str) -> list[str]:
    """``c`` client ids, separated by commas."""
    found = text.split(",")
    if "" in found:
        raise RowError(f"{what} has an empty client id")
    if len(found) != c:
        raise RowError(f"{what} has {len(found)} client ids, c is {c}")
    return found


def shares(text: str, q: int, c: int, what: str) -> list[list[int]]:
    """The positions of each of ``c`` consumers among ``q`` queues, written ``0,1|2|``."""
    found = [[number(item, "position") for item in share.split(",")] if share else [] for share in text.split("|")]
    if len(found) != c:
        raise RowError(f"{what} has {len(found)} consumers, c is {c}")
    for position in (position for share in found for position in share):
        if not 0 <= position < q:
            raise RowError(f"{what} has position {position}, which is outside mqAll of {q} queues")
    return found


def shares_text(found: Sequence[Sequence[int]]) -> str:
    """The inverse of ``shares``."""
    return "|".join(",".join(map(str, share)) for share in found)
