"""Files with names of the user's own cluster: client ids, brokers, queues."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rebalance_proofs.model.own.naming import Naming, yours
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.given import NotGiven, text_of
from rebalance_proofs.spark_enum.bounds import LARGEST

__all__ = ["NumberOrFile", "names"]

LONGEST = 1 << 20
"""The most bytes of such a file."""
EACH = 8
"""Queues of a broker for which no number is said: what a topic has that the broker makes by itself."""


class NumberOrFile(click.Path):
    """A whole number, or the path of a file."""

    name = "N|FILE"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """An ``int``, or a ``Path``; an empty name is neither."""
        if isinstance(value, str) and re.fullmatch(r"-?\d+", value.strip(), re.ASCII):
            return int(value)
        if not str(value).strip():
            self.fail(f"{value!r} is neither a number nor a file", param, ctx)
        return super().convert(value, param, ctx)


def names(ids: Path | None, brokers: Path | None, queues: Path | None) -> Naming | None:
    """The names in these files; None without a file. Raises ``UsageError`` for what is no list of names."""
    if brokers and queues:
        raise UsageError("--brokers and --queues FILE both say which queues there are: give one of them")
    given = [" ".join(words) for words in _rows(ids, "--ids", 1)] if ids else []
    known = [*_of_brokers(brokers)] if brokers else [*_queues(queues)] if queues else []
    for option, told in (("--ids", given), ("--brokers" if brokers else "--queues", known)):
        if len(set(told)) < len(told):
            twice = next(one for place, one in enumerate(told) if one in told[:place])
            raise UsageError(
                f"{option}: {' '.join(map(str, twice)) if isinstance(twice, tuple) else twice} stands twice"
            )
        if len(told) > LARGEST:
            raise UsageError(f"{option}: {len(told):,} are too many; groups have up to {LARGEST}")
    return yours(given, tuple(known)) if given or known else None


def _of_brokers(path: Path) -> Iterator[MessageQueue]:
    for words in _rows(path, "--brokers", 2):
        name, number = words[0], int(words[1]) if len(words) > 1 and _whole(words[1]) else EACH
        if len(words) > 1 and (not _whole(words[1]) or not 1 <= number <= LARGEST):
            raise UsageError(f"--brokers: {' '.join(words)!r} is no broker with its number of queues, as in broker-a 8")
        yield from one_broker(number, "orders", name)


def _queues(path: Path) -> Iterator[MessageQueue]:
    for words in _rows(path, "--queues", 3):
        if len(words) < 2 or not _whole(words[-1]):
            raise UsageError(f"--queues: {' '.join(words)!r} is no queue, as in orders broker-a 0, or broker-a 0")
        yield MessageQueue(words[0] if len(words) == 3 else "orders", words[-2], int(words[-1]))


def _whole(text: str) -> bool:
    return bool(re.fullmatch(r"\d{1,9}", text, re.ASCII))


def _rows(path: Path, option: str, most: int) -> Iterator[list[str]]:
    """The words of each line; empty lines, and lines that begin with #, are left out."""
    try:
        lines = text_of(path, LONGEST).splitlines()
    except NotGiven as error:
        raise UsageError(f"{option}: {str(path)!r}: {error}") from None
    strange = next((line for line in lines if not line.replace("\t", " ").isprintable()), None)
    if strange is not None:
        raise UsageError(f"{option}: {strange[:80]!r} has signs that no name has")
    rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    if not rows:
        raise UsageError(f"{option}: {str(path)!r} has no names")
    for words in rows:
        if len(words) > most:
            wanted = {1: "one client id", 2: "a broker and its number of queues", 3: "topic, broker and queueId"}[most]
            raise UsageError(f"{option}: a line has {wanted}, and not {' '.join(words)[:80]!r}")
    return iter(rows)
