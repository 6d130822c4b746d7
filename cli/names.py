"""Read files with names from the user's cluster: client ids, brokers and queues."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.given import NotGiven, text_of
from rebalance_proofs.spark_enum.bounds import LARGEST

LONGEST = 1 << 20
"""Largest accepted size of such a file in bytes."""
EACH = 8
"""Default number of queues of a broker: that of a topic that the broker creates automatically."""


class NumberOrFile(click.Path):
    """Option value: a whole number, or the path of a file."""

    name = "N|FILE"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return an ``int`` or a ``Path``. An empty text is rejected."""
        if isinstance(value, str) and re.fullmatch(r"-?\d+", value.strip(), re.ASCII):
            return int(value)
        if not str(value).strip():
            self.fail(f"{value!r} is neither a number nor a file name", param, ctx)
        return super().convert(value, param, ctx)


def listed(ids: Path | None, brokers: Path | None, queues: Path | None) -> tuple[list[str], tuple[MessageQueue, ...]]:
    """Return the client ids and the queues of these files.

    Raises ``UsageError`` if a file is not a list of names.
    """
    if brokers and queues:
        raise UsageError("--brokers and --queues FILE both define the queues; leave out one of them")
    given = [" ".join(words) for words in _rows(ids, "--ids", 1)] if ids else []
    known = [*_of_brokers(brokers)] if brokers else [*_queues(queues)] if queues else []
    for option, told in (("--ids", given), ("--brokers" if brokers else "--queues", known)):
        if len(set(told)) < len(told):
            twice = next(one for place, one in enumerate(told) if one in told[:place])
            words = " ".join(map(str, twice)) if isinstance(twice, tuple) else twice
            raise UsageError(f"{option}: {words!r} is listed twice; list each name once")
        if len(told) > LARGEST:
            raise UsageError(f"{option}: {len(told):,} names are too many; list at most {LARGEST}")
    return given, tuple(known)


def _of_brokers(path: Path) -> Iterator[MessageQueue]:
    for words in _rows(path, "--brokers", 2):
        name, number = words[0], int(words[1]) if len(words) > 1 and _whole(words[1]) else EACH
        if len(words) > 1 and (not _whole(words[1]) or not 1 <= number <= LARGEST):
            raise UsageError(
                f"--brokers: {' '.join(words)!r} has to be a broker with 1 to {LARGEST} queues, such as broker-a 8"
            )
        yield from one_broker(number, "orders", name)


def _queues(path: Path) -> Iterator[MessageQueue]:
    for words in _rows(path, "--queues", 3):
        if len(words) < 2 or not _whole(words[-1]):
            raise UsageError(
                f"--queues: {' '.join(words)!r} is not a queue; write TOPIC BROKER QUEUEID or BROKER QUEUEID"
            )
        yield MessageQueue(words[0] if len(words) == 3 else "orders", words[-2], int(words[-1]))


def _whole(text: str) -> bool:
    return bool(re.fullmatch(r"\d{1,9}", text, re.ASCII))


def _rows(path: Path, option: str, most: int) -> Iterator[list[str]]:
    """Return the words of each line of the file. Empty lines and comment lines (#) are skipped.

    ``most`` is the largest number of words on a line; ``option`` is for error messages. Raises ``UsageError``.
    """
    try:
        lines = text_of(path, LONGEST).splitlines()
    except NotGiven as error:
        raise UsageError(f"{option}: cannot read {str(path)!r}: {error}") from None
    strange = next((line for line in lines if not line.replace("\t", " ").isprintable()), None)
    if strange is not None:
        raise UsageError(f"{option}: {strange[:80]!r} has characters that cannot be in a name")
    rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    if not rows:
        raise UsageError(f"{option}: {str(path)!r} contains no names; write one on each line")
    for words in rows:
        if len(words) > most:
            wanted = {1: "one client id", 2: "NAME or NAME QUEUES", 3: "TOPIC BROKER QUEUEID or BROKER QUEUEID"}[most]
            raise UsageError(f"{option}: {' '.join(words)[:80]!r} has too many words; write {wanted} on each line")
    return iter(rows)
