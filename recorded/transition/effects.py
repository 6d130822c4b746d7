"""Effects of calls as text in recorded changes, such as ``drop@A persist=throw@A``."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rebalance_proofs.model.client import effects
from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import EXC, THROWS
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.transition.notation import ABSENT, queue_name

NameOf = Callable[[MessageQueue], str] | None
"""Function from a queue to its name.

The value is None if there is only one queue, whose name is left out.
"""


def effects_text(found: Iterable[Effect], name_of: NameOf = None) -> list[str]:
    """Return effects as texts in order.

    With ``name_of``, effects on a queue end with ``@name``, except ``schedule``. If several process queues are removed
    at once, their order was not observed; here they are sorted by name.
    """
    written: list[str] = []
    leaving = 0
    for effect in found:
        name, queue, *details = effect
        suffix = ""
        if name_of is not None and queue is not None and name != effects.SCHEDULE_UNLOCK:
            suffix = f"@{name_of(queue)}"
        write: Callable[..., str] = WRITERS.get(name, _plain)
        written.append(write(name, *details) + suffix)
        leaving = leaving + 1 if name == effects.OUT else 0
        if leaving > 1:
            written[-leaving:] = sorted(written[-leaving:])
    return written


def effects_cell(found: Iterable[Effect], name_of: NameOf = None) -> str:
    """Return effects as one text, which is a cell of a row."""
    return " ".join(effects_text(found, name_of)) or ABSENT


def _plain(name: str, *details: Any) -> str:
    return "=".join([name, *map(str, details)])


def _in_brackets(count: int) -> Callable[..., str]:
    return lambda name, *details: _plain(f"{name}({','.join(map(str, details[:count]))})", *details[count:])


def _read(name: str, *details: Any) -> str:
    *where, said = details
    return _plain(name + "".join(f"[{each}]" for each in where), said)


def _queried(name: str, said: int | str) -> str:
    return _plain(name, "rt" if said == THROWS else said)


def _names(queues: Iterable[MessageQueue] | None) -> str:
    return "null" if queues is None else "{" + " ".join(sorted(map(queue_name, queues))) + "}"


def _shares(name: str, topic: str, mq_all: Any, mine: Any, *thrown: str) -> str:
    return _plain(f"{name}({topic},all={_names(mq_all)},mine={_names(mine)})", *thrown)


WRITERS: Mapping[str, Callable[..., str]] = {
    effects.TRY_CONSUME_LOCK: _in_brackets(1),
    effects.UPDATE_OFFSET: _in_brackets(1),
    effects.UNLOCK: lambda name, *failure: _plain(f"{name}(oneway)", *failure),
    effects.SCHEDULE_UNLOCK: lambda name, delay: f"{name}(unlock,{delay})",
    effects.READ_OFFSET: _read,
    effects.MAX_OFFSET: _queried,
    effects.SEARCH_OFFSET: _queried,
    effects.PULL_REQUEST: _in_brackets(2),
    effects.REBALANCE_LATER: _in_brackets(1),
    effects.FIND_CONSUMER_IDS: _in_brackets(1),
    effects.QUERY_ASSIGNMENT: _in_brackets(2),
    effects.POP_REQUEST: _in_brackets(1),
    effects.PULL_THRESHOLD: _in_brackets(1),
    effects.PULL_THRESHOLD_SIZE: _in_brackets(1),
    effects.ALLOCATE: lambda name, count, ids, strategy: f"{name}({count},[{', '.join(ids)}])={strategy}",
    effects.QUEUE_CHANGED: _shares,
    effects.LISTENER: _shares,
    effects.EMIT: _in_brackets(1),
    effects.LOCK_BATCH: lambda name, queues, said: _plain(
        f"{effects.LOCK}{_names(queues)}", said if said == EXC else f">{_names(said)}"
    ),
    effects.UNLOCK_BATCH: lambda name, queues, *failure: _plain(f"{effects.UNLOCK}{_names(queues)}(oneway)", *failure),
}
"""Name of an effect -> function that returns its text.

All other effects are written ``name`` or ``name=detail``.
"""
