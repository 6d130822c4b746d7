"""Cases and results in words, for messages about differences."""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS, NO_OFFSET, PERSISTS, WHERES, queried, stored
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, Variable
from rebalance_proofs.spark_enum.transition.columns import IN_REMOVAL, QUIET, Became, Outcome

_SAID: Mapping[str, Callable[[int], object]] = {
    "kind": lambda number: KINDS[number].name,
    "where": lambda number: WHERES[number].name,
    "lock": lambda number: LOCKS[number],
    "persist": lambda number: PERSISTS[number],
    "stored": stored,
    "queried": queried,
    "memory": lambda number: "none" if number == NO_OFFSET else number,
}


def case(numbers: Mapping[str, int]) -> str:
    """Return a case in words: the consumer's mode, and the non-default values of one queue.

    Example: ``order 1, orderly 1: mine 0, stored -1``.
    """
    return f"{consumer(numbers)}: {queue(numbers)}"


def consumer(numbers: Mapping[str, int]) -> str:
    """Return the consumer's mode and settings in words."""
    return _departures(numbers, (*MODE, *CONSUMER)) or "push"


def queue(numbers: Mapping[str, int]) -> str:
    """Return the non-default values of one queue in words."""
    return _departures(numbers, (*QUEUE, *ROUND)) or "benign"


def _departures(numbers: Mapping[str, int], known: Sequence[Variable]) -> str:
    found = [variable.name for variable in known if numbers[variable.name] != variable.benign]
    return ", ".join(f"{name} {_said(name, int(numbers[name]))}" for name in found)


def _said(name: str, number: int) -> object:
    return _SAID[name](number) if name in _SAID else number


def effects(found: Sequence[Effect], numbered: bool = False) -> str:
    """Return the effects in order: ``drop, persist throw``; with queues' numbers: ``0 drop, 1 drop``."""
    said = [" ".join(map(str, (*_number(queue, numbered), name, *details))) for name, queue, *details in found]
    return ", ".join(said) or "nothing"


def _number(queue: MessageQueue | None, numbered: bool) -> tuple[int, ...]:
    return (queue.queue_id,) if numbered and queue is not None else ()


def outcome(found: Outcome) -> str:
    """Return the effects of a rebalance on one queue, in words."""
    return f"{effects(found.effects)}; {became(found.became)}; {returned(found.changed, found.phase)}"


def became(found: Became) -> str:
    """Return a queue's process queues after a rebalance in words: the earlier and the new one."""
    said = (
        ("no process queue")
        if found.after is None
        else f"{'new ' if found.fresh else ''}process queue {_state(found.after)}"
    )
    if found.former not in (None, found.after):
        said += f", former {_state(found.former)}"
    return said if found.memory == NO_OFFSET else f"{said}, offset {found.memory} in memory"


def _state(state: Sequence[int]) -> str:
    return str(tuple(map(int, state)))


def returned(changed: bool | None, phase: int) -> str:
    """Return how the client's method ended."""
    if phase != QUIET:
        return f"throws while queues are {'removed' if phase == IN_REMOVAL else 'added'}"
    return "changed" if changed else "not changed"
