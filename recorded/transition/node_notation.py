"""How recorded transitions of the Node client write entries, offsets and effects."""

import re
from collections.abc import Callable, Mapping

from rebalance_proofs.model.client.effects import ALLOCATE, EMIT, FIND_CONSUMER_IDS, PULL_REQUEST, UPDATE_OFFSET, Effect
from rebalance_proofs.model.client.environment import FAILS, OK, THROW, Answers
from rebalance_proofs.model.client.node import NodeProcessQueue
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import choice, number

VERSION = "node3.12.2"
ABSENT = "-"
"""In a cell: nothing, or nobody asked."""

NOW = 1_000_000
PULL_EXPIRED = NOW - 200_000
LOCKED_LONG_AGO = NOW - 25_000
NEXT_OFFSET = 5
"""Of every entry that is there before the call."""

PRE = re.compile(r"d([01])l([01])e([01])a([01])m([01])")
BENIGN = Answers(stored=100, queried=77)
"""Where nothing else is said, the broker has offset 100, and the queue ends at 77."""

QUERY_ERRORS = ("notfound", "brokerexc", "timeout")


def entry(text: str, what: str) -> NodeProcessQueue:
    """An entry as ``dXlXeXaXmX``: dropped, locked, pull expired, last lock long ago, cached messages."""
    found = PRE.fullmatch(text)
    if found is None:
        raise RowError(f"{what} is {quoted(text)}, which is not dXlXeXaXmX")
    dropped, locked, expired, long_ago, cached = (digit == "1" for digit in found.groups())
    return NodeProcessQueue(
        NEXT_OFFSET,
        dropped=dropped,
        locked=locked,
        last_pull_timestamp=PULL_EXPIRED if expired else NOW,
        last_lock_timestamp=LOCKED_LONG_AGO if long_ago else NOW,
        cached=int(cached),
    )


def state(found: ProcessQueue) -> str:
    """``d1l0``: whether it is dropped, and locked."""
    return f"d{found.dropped:d}l{found.locked:d}"


def answers(given: Mapping[str, str], otherwise: Answers = BENIGN) -> Answers:
    """Answers of one queue: ``rpc`` (``queryRPC``) to the query of its offset, ``max`` to the other queries, ``upd``.

    Where it is not given, or ``-``, the answer is that of ``otherwise``. Raises ``RowError`` for any other key.
    """
    found = otherwise
    for key, text in given.items():
        if key not in READERS:
            raise RowError(f"{quoted(key)} is none of {', '.join(READERS)}")
        if text != ABSENT:
            name, read = READERS[key]
            found = found._replace(**{name: read(text, key)})
    return found


def offset_or(errors: tuple[str, ...]) -> Callable[[str, str], int | str]:
    """Reads an offset, or one of ``errors``."""

    def read(text: str, what: str) -> int | str:
        if text in errors:
            return text
        try:
            return number(text, what)
        except RowError:
            raise RowError(f"{what} is {quoted(text)}, neither a number nor one of {', '.join(errors)}") from None

    return read


def update(text: str, what: str) -> str:
    """``ok`` or ``throw``."""
    return choice(text, {OK: OK, THROW: THROW}, what)


READERS: Mapping[str, tuple[str, Callable[[str, str], int | str]]] = {
    "rpc": ("stored", offset_or(QUERY_ERRORS)),
    "queryRPC": ("stored", offset_or(QUERY_ERRORS)),
    "max": ("queried", offset_or((FAILS,))),
    "upd": ("persist", update),
}
"""Name in the files -> the field of ``Answers``, and how it is read."""


def effect_text(effect: Effect) -> str:
    """An effect without its queue: ``readOff=100``."""
    name, _, *details = effect
    write = WRITERS.get(name)
    if write is not None:
        return write(*details)
    return name if not details else f"{name}={details[0]}"


def _update_text(offset: int, failure: str = "") -> str:
    return f"{UPDATE_OFFSET}({offset})" + (f"={failure}" if failure else "")


WRITERS: Mapping[str, Callable[..., str]] = {
    UPDATE_OFFSET: _update_text,
    PULL_REQUEST: lambda offset: f"{PULL_REQUEST}({offset})",
    EMIT: lambda event: f"{EMIT}({event})",
    FIND_CONSUMER_IDS: lambda topic: f"{FIND_CONSUMER_IDS}({topic})",
    ALLOCATE: lambda count, ids, result: f"{ALLOCATE}({count},[{', '.join(ids)}])={result}",
}
"""The other effects are written ``name`` or ``name=detail``."""
