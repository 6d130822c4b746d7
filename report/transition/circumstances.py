"""Initial situation of a counterexample in words: the consumer, its process queues, and the rounds.

Only inputs that differ from their defaults are described. The dicts below have the texts, by the names of the inputs
in ``model.transition``. An input without a text is printed with its meaning and value.
"""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.model.client.environment import DENIED, EXC, NO_BROKER, THROW, UNLOCK_EXC
from rebalance_proofs.model.client.process_queue_table import HELD
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import (
    BROKER_ERROR,
    FAILED,
    KINDS,
    LOCKS,
    NO_OFFSET,
    NOT_FOUND,
    PERSISTS,
    THROWN,
    WHERES,
)
from rebalance_proofs.model.transition.rounds import Watched
from rebalance_proofs.model.transition.variables import CONSUMER, ENTRY, QUEUE, ROUND, Variable
from rebalance_proofs.report.text.english import listing, seconds

Said = Callable[[int], str]

KIND_NAMES = {"push": "push", "pull": "pull", "lite": "lite pull"}

CONSUMER_TEXTS: Mapping[str, Said] = {
    "where": lambda where: f"it is configured to start at {WHERES[where].value}",
    "retry": lambda _: "the topic is the retry topic of its group",
}
STATE_TEXTS: Mapping[str, Said] = {
    "dropped": lambda _: "its process queue is dropped",
    "locked": lambda _: "the client does not have the broker's lock",
    "pull_age": lambda age: f"the last pull was {seconds(age)} ago",
    "lock_age": lambda age: f"the broker's lock was last renewed {seconds(age)} ago",
    "consume_lock": lambda state: "the listener runs" if state == HELD else "the wait for the listener is interrupted",
    "cached": lambda _: "some pulled messages are not consumed yet",
    "static": lambda _: "its topic is static",
    "memory": lambda offset: f"the client remembers {'no offset' if offset == NO_OFFSET else f'offset {offset}'}",
}
ANSWER_TEXTS: dict[str, Said] = {
    "lock": lambda said: {
        DENIED: "the broker denies {lock}",
        EXC: "the call for {lock} fails",
        UNLOCK_EXC: "the unlock call for {lock} fails",
        NO_BROKER: "the address of {broker} is not known",
    }[LOCKS[said]],
    "stored": lambda offset: {
        NOT_FOUND: "no offset{of} is stored",
        BROKER_ERROR: "a broker answers the query of {offset} with an error",
        THROWN: "the query of {offset} fails",
    }.get(offset, "the query of {offset} has no answer" if offset < 0 else f"{{offset}} is {offset}"),
    "queried": lambda offset: {
        FAILED: "asking the broker for {offset} fails",
        THROWN: "asking the broker for {offset} throws an exception",
    }.get(offset, f"asked for {{offset}}, the broker says {offset}"),
    "persist": lambda said: f"sending {{offset}} to the broker fails{_when(said)}",
}
"""Texts of a broker's answers, with gaps for the queue's parts: ``its offset``, ``the offset of queue 1``."""
FILE_TEXTS: Mapping[str, Said] = {
    "stored": lambda offset: "no offset{of} is stored" if offset < 0 else f"{{offset}} is {offset}",
    "persist": lambda said: f"writing {{offset}} into the file fails{_when(said)}",
}
"""Texts for clients that store offsets in a file, instead of ``ANSWER_TEXTS``."""
OWN_STORE_TEXTS: Mapping[str, Said] = {
    "stored": lambda offset: {
        NOT_FOUND: "no offset{of} is stored",
        THROWN: "reading {offset} throws an exception",
    }.get(offset, f"reading {{offset}} gives {offset}"),
    "persist": lambda said: f"persisting {{offset}} throws an exception{_when(said)}",
}
"""Texts for a user-defined offset store, instead of ``ANSWER_TEXTS``."""


def texts_of(mode: Mode) -> Mapping[str, Said]:
    """Return the texts of answers for a consumer with the offset store of ``mode``."""
    return {**ANSWER_TEXTS, **(OWN_STORE_TEXTS if mode.own_store else FILE_TEXTS if mode.broadcasting else {})}


def _when(said: int) -> str:
    return "" if PERSISTS[said] == THROW else " the second time"


def consumer(mode: Mode) -> str:
    """Return the consumer in words: ``a broadcasting push consumer with an ordered listener``."""
    kind = KIND_NAMES.get(KINDS[mode.kind].name, KINDS[mode.kind].name)
    parts = ["an ordered listener"] * mode.orderly + ["a user-defined offset store"] * mode.own_store
    having = f" with {listing(parts)}" if parts else ""
    return f"a {'broadcasting ' if mode.broadcasting else ''}{kind} consumer{having}"


def settings(numbers: Mapping[str, int]) -> list[str]:
    """Return phrases for settings that differ from the defaults; ``numbers``: setting -> value."""
    return _told(CONSUMER, numbers, CONSUMER_TEXTS)


def state(numbers: Mapping[str, int]) -> list[str]:
    """Return phrases for unusual facts about a queue, except whether it has a process queue."""
    known = ENTRY if numbers["present"] else ()
    rest = [variable for variable in QUEUE if variable not in ENTRY and variable.name not in ("mine", "present")]
    return _told((*known, *rest), numbers, STATE_TEXTS)


def answers(seen: Watched, mode: Mode, queue: str = "") -> list[str]:
    """Return phrases for unusual answers about a queue; ``queue`` names it if there are several."""
    of = f" of {queue}" if queue else ""
    gaps = {"of": of}
    for thing in ("lock", "offset", "broker"):
        gaps[thing] = f"the {thing}{of}" if queue else f"its {thing}"
    asked = [variable for variable in ROUND if variable.name != "in_set"]
    return [text.format(**gaps) for text in _told(asked, vars(seen.asked), texts_of(mode))]


def departures(known: Sequence[Variable], numbers: Mapping[str, int]) -> list[tuple[Variable, int]]:
    """Return (input, value) for the inputs that differ from their defaults."""
    return [(variable, numbers[variable.name]) for variable in known if numbers[variable.name] != variable.benign]


def _told(known: Sequence[Variable], numbers: Mapping[str, int], texts: Mapping[str, Said]) -> list[str]:
    return [
        texts[found.name](value) if found.name in texts else f"{found.meaning}: {value}"
        for found, value in departures(known, numbers)
    ]
