"""How recorded transitions of the Java client write entries, answers and effects."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from rebalance_proofs.model.client import effects
from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import (
    DENIED,
    EXC,
    FAILS,
    NO_BROKER,
    NOT_FOUND,
    OK,
    THROW,
    THROW_SECOND,
    THROWS,
    UNLOCK_EXC,
)
from rebalance_proofs.model.client.errors import NULL_POINTER, RuntimeException
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.settings import KINDS
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import choice, number

ABSENT = "-"
"""In a cell: nothing, or nobody asked."""
NOTHING = "none"
"""Of scheduled tasks: they ran and did nothing."""

NOW = 1_000_000_000
PULL_EXPIRED = NOW - 200_000
LOCKED_LONG_AGO = NOW - 25_000

KIND = {kind.name: kind for kind in KINDS}
LOCK = {word: word for word in (OK, DENIED, EXC, NO_BROKER, UNLOCK_EXC)}
PERSIST = {word: word for word in (OK, THROW, THROW_SECOND)}

PRE = re.compile(r"d([01])l([01])e([01])a([01])c([012])m(\d+)")


# -- inputs


def entry(text: str, what: str) -> ProcessQueue:
    """An entry as ``dXlXeXaXcXmX``: dropped, locked, pull expired, last lock long ago, consume lock, messages."""
    found = PRE.fullmatch(text)
    if found is None:
        raise RowError(f"{what} is {quoted(text)}, which is not dXlXeXaXcXmX")
    dropped, locked, expired, long_ago, consume_lock, cached = map(int, found.groups())
    return ProcessQueue(
        dropped=bool(dropped),
        locked=bool(locked),
        last_pull_timestamp=PULL_EXPIRED if expired else NOW,
        last_lock_timestamp=LOCKED_LONG_AGO if long_ago else NOW,
        consume_lock=consume_lock,
        cached=cached,
    )


def lock_answer(text: str, what: str) -> dict[str, Any]:
    """The field of ``Answers`` for what a broker says to a lock."""
    return {"lock": choice(text, LOCK, what)}


def persist_answer(text: str, what: str) -> dict[str, Any]:
    """The same for what the offset store's ``persist`` does."""
    return {"persist": choice(text, PERSIST, what)}


def offset_answer(text: str, what: str) -> dict[str, Any]:
    """The same for the offset store's offset, or ``nf`` and what the query says that follows when there is none."""
    if text == "throw":
        return {"stored": THROWS}
    if not text.startswith("nf"):
        return {"stored": number(text, what)}
    rest = text.removeprefix("nf")
    return {"stored": NOT_FOUND, "queried": {"err": FAILS, "rt": THROWS}.get(rest) or number(rest, what)}


def optional(read: Callable[[str, str], dict[str, Any]], text: str, what: str) -> dict[str, Any]:
    """No answer where the client did not ask."""
    return {} if text == ABSENT else read(text, what)


# -- outputs


def state(found: ProcessQueue) -> str:
    """``d1l0t2``: whether it is dropped, and locked; how often it could not be unlocked."""
    return f"d{found.dropped:d}l{found.locked:d}t{found.try_unlock_times}"


def former_text(found: ProcessQueue | None) -> str:
    """What has become of the entry that was there before."""
    return ABSENT if found is None else state(found)


def post_text(found: ProcessQueue | None, former: ProcessQueue | None) -> str:
    """What is in the table: the same entry, or a new one."""
    return ABSENT if found is None else f"{'S' if found is former else 'N'}:{state(found)}"


def thrown_text(error: RuntimeException) -> str:
    """The exception that has left a method; the recordings' own ones say where they came from."""
    (where,) = error.args
    return f"IllegalStateException:scripted {where}" if where in SCRIPTED else where


def pinned_thrown(text: str | None) -> str | None:
    """What of a recorded exception is compared: the text of a NullPointerException is the virtual machine's own."""
    return NULL_POINTER if text is not None and text.partition(":")[0] == NULL_POINTER else text


SCRIPTED = ("persist", "readOffset", "admin")


def effects_text(found: Iterable[Effect], name_of: Callable[[MessageQueue], str] | None = None) -> list[str]:
    """Effects in order; with ``name_of`` a queue's name, those about a queue end with ``@name``, but not ``schedule``.

    When several entries leave the table at once, their order was not observed; here it is the order of the names.
    """
    written: list[str] = []
    leaving = 0
    for effect in found:
        name, queue, *details = effect
        named = name_of is not None and queue is not None and name != effects.SCHEDULE_UNLOCK
        suffix = f"@{name_of(queue)}" if named else ""
        written.append(WRITERS.get(name, _plain)(name, *details) + suffix)
        leaving = leaving + 1 if name == effects.OUT else 0
        if leaving > 1:
            written[-leaving:] = sorted(written[-leaving:])
    return written


def cell(words: Collection[str]) -> str:
    """Effects as one cell of a row."""
    return " ".join(words) or ABSENT


def queue_name(queue: MessageQueue) -> str:
    """``topic/broker/queueId``."""
    return f"{queue.topic}/{queue.broker_name}/{queue.queue_id}"


def _plain(name: str, *details: Any) -> str:
    return "=".join([name, *map(str, details)])


def _first_in_brackets(name: str, first: Any, *others: Any) -> str:
    return "=".join([f"{name}({first})", *map(str, others)])


def _all_in_brackets(name: str, *details: Any) -> str:
    return f"{name}({','.join(map(str, details))})"


def _one_way(name: str, *failure: str) -> str:
    return "=".join([f"{name}(oneway)", *failure])


def _queried(name: str, said: int | str) -> str:
    return f"{name}={'rt' if said == THROWS else said}"


def _names(queues: Iterable[MessageQueue] | None) -> str:
    return "null" if queues is None else "{" + " ".join(sorted(map(queue_name, queues))) + "}"


def _shares(name: str, topic: str, mq_all: Any, mine: Any, *thrown: str) -> str:
    return "=".join([f"{name}({topic},all={_names(mq_all)},mine={_names(mine)})", *thrown])


def _locked(name: str, queues: Any, said: Any) -> str:
    return f"{effects.LOCK}{_names(queues)}={said if said == EXC else '>' + _names(said)}"


def _unlocked(name: str, queues: Any, *failure: str) -> str:
    return "=".join([f"{effects.UNLOCK}{_names(queues)}(oneway)", *failure])


WRITERS: Mapping[str, Callable[..., str]] = {
    effects.TRY_CONSUME_LOCK: _first_in_brackets,
    effects.UPDATE_OFFSET: _first_in_brackets,
    effects.UNLOCK: _one_way,
    effects.SCHEDULE_UNLOCK: lambda name, delay: f"{name}(unlock,{delay})",
    effects.READ_OFFSET: lambda name, where, said: f"{name}[{where}]={said}",
    effects.MAX_OFFSET: _queried,
    effects.SEARCH_OFFSET: _queried,
    effects.PULL_REQUEST: _all_in_brackets,
    effects.REBALANCE_LATER: _all_in_brackets,
    effects.FIND_CONSUMER_IDS: _all_in_brackets,
    effects.QUERY_ASSIGNMENT: lambda name, topic, timeout, *said: "=".join([f"{name}({topic},{timeout})", *said]),
    effects.POP_REQUEST: _all_in_brackets,
    effects.PULL_THRESHOLD: _all_in_brackets,
    effects.PULL_THRESHOLD_SIZE: _all_in_brackets,
    effects.ALLOCATE: lambda name, count, ids, strategy: f"{name}({count},[{', '.join(ids)}])={strategy}",
    effects.QUEUE_CHANGED: _shares,
    effects.LISTENER: _shares,
    effects.LOCK_BATCH: _locked,
    effects.UNLOCK_BATCH: _unlocked,
}
"""The other effects are written ``name`` or ``name=detail``."""
