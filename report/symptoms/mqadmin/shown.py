"""An observation in a table, and how queues, times and lists are written in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from rebalance_proofs.language import language
from rebalance_proofs.recorded.knowledge.pasted_texts import Kind, kinds, word
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.symptoms.mqadmin.progress import Queue

LATE = timedelta(minutes=2)
"""A queue counts as late if its last message was stored this much before the newest one of all queues.

After the same time without a pull, a process queue's pull counts as expired.
"""
MOST = 6
"""Largest number of queues or members that a sentence names; further ones are only counted."""


@dataclass(frozen=True)
class Shown:
    """An observation in a table that indicates causes, with the rows that show it."""

    kind: Kind
    words: str
    """The observation as a sentence, with the values of the rows."""
    queues: tuple[Queue, ...] = ()


def shown(kind: str, queues: Iterable[Queue] = (), **values: object) -> Shown:
    """Return an observation of this kind, in the language in use."""
    found = kinds()[kind]
    named = tuple(queues)
    texts = {name: printable(value) if isinstance(value, str) else value for name, value in values.items()}
    words = str(found.shows).format(queues=printable(queues_named(named)), **texts)
    return Shown(found, sentence(words), named)


def sentence(words: str) -> str:
    """Return a sentence with a capital first; in Chinese, a sentence can begin with the name of a broker."""
    return words if language() == "zh" else words[:1].upper() + words[1:]


def clauses(*words: str) -> str:
    """Join the clauses that are not empty."""
    return ("；" if language() == "zh" else "; ").join(filter(None, words))


def queues_named(queues: Iterable[Queue]) -> str:
    """Return the names of queues by broker: ``queue 1 of broker-a (topic)``."""
    by_broker: dict[tuple[str, str], list[int]] = {}
    for topic, broker, number in queues:
        by_broker.setdefault((topic, broker), []).append(number)
    named = []
    for (topic, broker), numbers in list(by_broker.items())[:MOST]:
        text = ", ".join(map(str, numbers[:MOST]))
        if len(numbers) > MOST:
            text = f"{text}, {word('more', many=len(numbers) - MOST)}"
        named.append(f"{word('queue' if len(numbers) == 1 else 'queues', numbers=text, broker=broker)} ({topic})")
    if len(by_broker) > MOST:
        named.append(word("more", many=sum(map(len, list(by_broker.values())[MOST:]))))
    return joined(named)


def joined(items: Iterable[str]) -> str:
    """Join short items in the language in use."""
    every = list(items)
    if language() == "zh":
        return "、".join(every)
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def long(time: timedelta) -> str:
    """Return a time rounded to two units: ``7 h 9 min``, ``3 days 2 h``."""
    seconds = int(time.total_seconds())
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    names = ("天", "小时", "分", "秒") if language() == "zh" else ("days" if days != 1 else "day", "h", "min", "s")
    parts = [(days, names[0]), (hours, names[1]), (minutes, names[2]), (seconds % 60, names[3])]
    first = next((place for place, (many, _) in enumerate(parts) if many), 3)
    return (
        " ".join(f"{many} {name}" for many, name in parts[first : first + 2] if many or len(parts) == 1)
        or f"0 {names[3]}"
    )
