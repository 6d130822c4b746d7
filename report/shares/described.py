"""Texts and files that describe a consumer group: ids, brokers, topics and views."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rebalance_proofs.model.own.names import in_order
from rebalance_proofs.model.queues import MessageQueue, one_broker, utf16_units
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.given import NotGiven, text_of
from rebalance_proofs.report.symptoms.asked import nearest
from rebalance_proofs.spark_enum.bounds import LARGEST

# The group that ``rebalance shares`` divides: topics, members and their views.


@dataclass(frozen=True)
class Topic:
    """One topic with its queues, in the sort order of clients."""

    name: str
    queues: tuple[MessageQueue, ...]

    @cached_property
    def places(self) -> Mapping[MessageQueue, int]:
        """Return each queue's position in the sorted list, from 0; answers name queues by it."""
        return {queue: place for place, queue in enumerate(self.queues)}


@dataclass(frozen=True)
class Asked:
    """A consumer group. By default all members see the same lists and subscribe to all topics."""

    topics: tuple[Topic, ...]
    ids: tuple[str, ...]
    """Client ids of all members, in the sort order of clients."""
    sees: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Member -> the sorted ids that it sees instead of ``ids``."""
    knows: Mapping[str, int] = field(default_factory=dict)
    """Member -> the number of each topic's queues that it knows, as with an old route."""
    subscribes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Member -> its topics, for members that do not subscribe to all."""
    rooms: tuple[str, ...] = ()
    """Machine rooms for MACHINE_ROOM and MACHINE_ROOM_NEARBY."""

    @property
    def queues(self) -> int:
        """Return the number of queues of all topics."""
        return sum(len(topic.queues) for topic in self.topics)

    @property
    def agrees(self) -> bool:
        """True if all members see the same lists and subscribe to the same topics."""
        return not self.sees and not self.knows and not self.subscribes

    def reads(self, client_id: str, topic: Topic) -> bool:
        """Return whether the member subscribes to the topic."""
        return client_id not in self.subscribes or topic.name in self.subscribes[client_id]


# Read files with names from the user's cluster: client ids, brokers and queues.

LONGEST = 1 << 20
"""Largest accepted size of such a file in bytes."""
EACH = 8
"""Default number of queues of a broker: that of a topic that the broker creates automatically."""


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


QUEUES, CONSUMERS = 1024, 64
"""Largest number of queues of all topics, and of consumers."""
USUAL = 4
"""Number of consumers if the user names none."""
TOPIC = "T"
"""Name of the topic if the user names none."""


def different(option: str, given: Sequence[str]) -> tuple[str, ...]:
    """Return the names. Raises ``UsageError`` for an empty, unprintable or repeated name."""
    for one in given:
        if not one:
            raise UsageError(f"{option}: a name in {','.join(given)!r} is empty; write names, separated by commas")
        if not one.isprintable():
            raise UsageError(f"{option}: {one[:80]!r} has characters that cannot be in a name")
        if given.count(one) > 1:
            raise UsageError(f"{option}: {one!r} is there twice; write different names, separated by commas")
    return tuple(given)


def split(text: str) -> list[str]:
    """Return the words of a text, which commas separate."""
    return [part.strip() for part in text.split(",")]


def _file(text: str) -> Path | None:
    """Return the path if the text names an existing file, or looks like a path; None for a list of names."""
    path = Path(text)
    try:
        there = path.exists()
    except OSError:
        there = False
    return path if there or (("/" in text or text.endswith(".txt")) and "," not in text) else None


def client_ids(text: str | None, count: int | None) -> tuple[str, ...]:
    """Return the sorted client ids, from a list or file; by default ``c0``, ``c1``, ...

    Raises ``UsageError``.
    """
    if text is None:
        return members(None, count)
    path = _file(text)
    return members(listed(path, None, None)[0] if path else split(text), count)


def members(given: Sequence[str] | None, count: int | None) -> tuple[str, ...]:
    """Return the sorted client ids; by default ``c0``, ``c1``, ... Raises ``UsageError``."""
    if given is None:
        number = USUAL if count is None else count
        if not 1 <= number <= CONSUMERS:
            raise UsageError(f"--consumers {number} is out of range; give a number from 1 to {CONSUMERS}")
        return tuple(f"c{place:0{len(str(number - 1))}}" for place in range(number))
    different("--ids", given)
    if len(given) > CONSUMERS:
        raise UsageError(f"--ids: {len(given)} ids are too many; give at most {CONSUMERS}")
    if count is not None and count != len(given):
        raise UsageError(f"--consumers {count} contradicts --ids, which has {len(given)}; leave out --consumers")
    return tuple(sorted(given, key=utf16_units))


def topics(
    queues: int | Path | None, brokers: str | None, named: Sequence[str], *, room: bool = False
) -> tuple[Topic, ...]:
    """Return the topics with their sorted queues. Raises ``UsageError``.

    ``queues``: their number, or a file with them. ``brokers``: a number, names with or without numbers of queues, or
    a file. ``named``: texts such as ``orders=8``. ``room``: name the usual broker with a machine room.
    """
    if isinstance(queues, Path):
        if named or brokers is not None:
            raise UsageError("--queues FILE lists topics and brokers; leave out --topic and --brokers")
        return _topics(listed(None, None, queues)[1])
    path = None if brokers is None else _file(brokers)
    each = _counts(listed(None, path, None)[1]) if path else _brokers(brokers, room=room)
    return spread(queues, each, [_topic(text) for text in named])


def spread(
    queues: int | None, each: Mapping[str, int | None], named: Sequence[tuple[str, int]] = ()
) -> tuple[Topic, ...]:
    """Return the topics over brokers, each with its number of queues or None. Raises ``UsageError``.

    ``queues``: their number in the only topic; ``named``: names and sizes of several.
    """
    if named and queues is not None:
        raise UsageError("--topic NAME=QUEUES gives the number of queues; leave out --queues")
    sized: Sequence[tuple[str, int | None]] = named or [(TOPIC, queues)]
    different("--topic", [name for name, _ in sized])
    different("--brokers", list(each))
    if len({number is None for number in each.values()}) > 1:
        raise UsageError("--brokers: give numbers of queues for all brokers, or for none")
    return _topics([queue for name, number in sized for queue in _spread(name, number, each)])


def _topic(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"([^=,\s]+)=(\d{1,9})", text.strip(), re.ASCII)
    if not found:
        raise UsageError(f"--topic: {text!r} is not NAME=QUEUES; write it like orders=8")
    return found[1], int(found[2])


def _counts(queues: Sequence[MessageQueue]) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for queue in queues:
        found[queue.broker_name] = (found.get(queue.broker_name) or 0) + 1
    return found


def _brokers(text: str | None, *, room: bool) -> dict[str, int | None]:
    """Return broker -> its number of queues, or None to spread the queues evenly."""
    if text is None or re.fullmatch(r"[-+]?\d+", text.strip(), re.ASCII):
        return numbered(None if text is None else int(text), room=room)
    found: dict[str, int | None] = {}
    for part in split(text):
        name, colon, number_text = part.partition(":")
        if colon and not re.fullmatch(r"\d{1,9}", number_text, re.ASCII):
            raise UsageError(f"--brokers: {part!r} is not BROKER or BROKER:QUEUES; write it like broker-a:8")
        if name in found:
            raise UsageError(f"--brokers: {name!r} is there twice; write different names, separated by commas")
        found[name] = int(number_text) if colon else None
    return found


def numbered(number: int | None, *, room: bool) -> dict[str, int | None]:
    """Return this number of brokers, or the usual one, with names of this module. Raises ``UsageError``."""
    if number is None:
        return {"room1@broker-a" if room else "broker-a": None}
    if not 1 <= number <= CONSUMERS:
        raise UsageError(f"--brokers {number} is out of range; give a number from 1 to {CONSUMERS}, or names")
    digits = len(str(number - 1))
    return {f"{'room1@' * room}broker-{place:0{digits}}": None for place in range(number)}


def _spread(topic: str, number: int | None, each: Mapping[str, int | None]) -> list[MessageQueue]:
    given = [count for count in each.values() if count is not None]
    if given:
        if number is not None:
            raise UsageError("--brokers gives the number of queues of each broker; leave out --queues and --topic")
        counts = dict(zip(each, given, strict=True))
    else:
        number = EACH * len(each) if number is None else number
        if number % len(each):
            raise UsageError(
                f"{number} queues do not spread evenly over {len(each)} brokers; use a multiple of {len(each)}, "
                "or --brokers NAME:QUEUES"
            )
        counts = dict.fromkeys(each, number // len(each))
    if not 1 <= sum(counts.values()) <= QUEUES or not all(counts.values()):
        wrong = next((one for one in counts.values() if not 1 <= one <= QUEUES), sum(counts.values()))
        raise UsageError(f"{wrong} queues of {topic!r} are out of range; give 1 to {QUEUES}")
    return [MessageQueue(topic, broker, place) for broker, count in counts.items() for place in range(count)]


def _topics(queues: Sequence[MessageQueue]) -> tuple[Topic, ...]:
    if len(queues) > QUEUES:
        raise UsageError(f"{len(queues):,} queues are too many; give at most {QUEUES:,} in all topics")
    found: dict[str, list[MessageQueue]] = {}
    for queue in in_order(queues):
        found.setdefault(queue.topic, []).append(queue)
    return tuple(Topic(name, tuple(own)) for name, own in found.items())


def assigned(option: str, given: Sequence[str], ids: Sequence[str], example: str) -> dict[str, list[str]]:
    """Return member -> listed words, from texts such as ``c0=c0,c1``. Raises ``UsageError``.

    The member's id may contain ``=``: the longest id with which the text begins counts.
    """
    found: dict[str, list[str]] = {}
    for text in given:
        member = max((one for one in ids if text.startswith(f"{one}=")), key=len, default=None)
        if member is None:
            name, equals, _ = text.partition("=")
            if not equals:
                raise UsageError(f"{option}: {text!r} has no '='; write it like {example}")
            raise unknown_member(option, name, ids)
        if member in found:
            raise UsageError(f"{option}: {member!r} is there twice; give one list for each consumer")
        found[member] = split(text[len(member) + 1 :])
    return found


def unknown_member(option: str, name: str, ids: Sequence[str]) -> UsageError:
    """Return the error about a name that is no member's id."""
    return UsageError(f"{option}: {name!r} is not a consumer of the group; {nearest(name, ids)}the ids are {_few(ids)}")


def numbers(option: str, words: Sequence[str], most: int) -> list[int]:
    """Return the numbers in words such as ``0-3`` and ``5``, each below ``most``.

    Raises ``UsageError``.
    """
    found: list[int] = []
    for word in words:
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", word, re.ASCII)
        if not match:
            raise UsageError(f"{option}: {word!r} is not a queue; write positions such as 0,1 or 0-3")
        first, last = int(match[1]), int(match[2] or match[1])
        if last >= most or last < first:
            raise UsageError(f"{option}: {word!r} is out of range; the queues are 0 to {most - 1}")
        found += range(first, last + 1)
    twice = next((one for one in found if found.count(one) > 1), None)
    if twice is not None:
        raise UsageError(f"{option}: queue {twice} is there twice; list each queue once for a consumer")
    return found


def _few(ids: Sequence[str]) -> str:
    return ", ".join(ids if len(ids) <= 6 else (*ids[:3], "...", ids[-1]))
