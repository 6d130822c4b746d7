"""Sets of names for groups: the user's own, and names that the strategy's code looks for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cmp_to_key
from hashlib import sha256
from itertools import chain, combinations

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.literals import Literals
from rebalance_proofs.model.queues import MessageQueue, by_value, compare_queues, one_broker, utf16_units

# Sets of names for the client ids, brokers and topics of a group.
# A strategy may depend on names, so each group is tried with several sets.

Queues = tuple[MessageQueue, ...]


@dataclass(frozen=True)
class Naming:
    """A set of names for a group, in the same sort order as the group's own names."""

    name: str
    """Short name of the set, for commands: ``brokers``."""
    sentence: str
    """A description of the names for readers."""
    consumer_group: str
    client_id: Callable[[int], str] | None
    """Function that returns the id of the k-th consumer in every client's order.

    None keeps the group's own ids and queues.
    """
    queues: Callable[[int], Queues]
    """``queues(count)`` returns ``count`` queues of a topic, in every client's order."""

    def named(self, group: Group) -> Group:
        """Return the same group, and its references, with these names."""
        if self.client_id is None:
            return group
        queues = dict(zip(group.queues, self.queues(len(group.queues)), strict=True))
        return _Renaming(self.client_id, queues).of(group)


class _Renaming:
    """Renames groups. Lists that become equal are one object, as they usually were before."""

    def __init__(self, client_id: Callable[[int], str], queues: dict[MessageQueue, MessageQueue]) -> None:
        self._client_id, self._queues = client_id, queues
        self._lists: dict[int, Queues] = {}
        self._ids: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._each: dict[str, str] = {}

    def of(self, group: Group) -> Group:
        return replace(
            group,
            queues=tuple(map(self._queues.__getitem__, group.queues)),
            consumers=tuple(map(self._consumer, group.consumers)),
            reference=group.reference and self.of(group.reference),
        )

    def _consumer(self, consumer: Consumer) -> Consumer:
        mq_all, cid_all = consumer.mq_all, consumer.cid_all
        if id(mq_all) not in self._lists:
            self._lists[id(mq_all)] = tuple(map(self._queues.__getitem__, mq_all))
        if cid_all not in self._ids:
            self._ids[cid_all] = tuple(map(self._id, cid_all))
        return Consumer(
            self._id(consumer.client_id),
            self._lists[id(mq_all)],
            self._ids[cid_all],
            consumer.strategy,
            consumer.subscribes,
        )

    def _id(self, client_id: str) -> str:
        """Return the new id for an old one such as ``c3``, ``c0003`` or ``c3-old``, by its number."""
        if client_id not in self._each:
            number, *rest = client_id.removeprefix("c").split("-")
            self._each[client_id] = "-".join([self._client_id(int(number)), *rest])
        return self._each[client_id]


@cache
def _three_brokers(count: int) -> Queues:
    """Return queues of three brokers: half on the first, half of the rest on the second."""
    first = -(-count // 2)
    second = -(-(count - first) // 2)
    sizes = {"broker-a": first, "broker-b": second, "broker-c": count - first - second}
    return tuple(chain.from_iterable(one_broker(size, "orders", name) for name, size in sizes.items()))


@cache
def _with_gaps(count: int) -> Queues:
    """Return queues whose ids on a broker neither start at 0 nor are consecutive."""
    half = count // 2
    return tuple(
        MessageQueue("T_odd", "IDC1@broker-a" if place < half else "IDC2@broker-b", 5 + 7 * (place % max(half, 1)))
        for place in range(half * 2)
    ) + tuple(MessageQueue("T_odd", "IDC3@broker-c", 1_000_003) for _ in range(count - half * 2))


@cache
def _one_each(count: int) -> Queues:
    return tuple(MessageQueue("%RETRY%GID_orders", f"broker-{place:03}", 0) for place in range(count))


PLAIN = Naming(
    "plain",
    "ids c0, c1, ...; one broker with queueIds from 0 on",
    "group",
    None,
    one_broker,
)
BROKERS = Naming(
    "brokers",
    "ids in the Java client's format (10.1.100.100@7#...); three brokers with different numbers of queues",
    "GID_orders",
    lambda number: f"10.1.{100 + number // 100}.{100 + number % 100}@7#{3_120_394_857_201 + 977 * number}",
    _three_brokers,
)
ODD = Naming(
    "odd",
    "ids that are prefixes of each other (x, xx, ...); brokers IDC1@broker-a, ...; queueIds with gaps",
    "",
    lambda number: "x" * (number + 1),
    _with_gaps,
)
SINGLE = Naming(
    "single",
    "ids that end in unsorted hexadecimal digits; one broker per queue, with queueId 0, topic %RETRY%GID_orders",
    "GID_orders",
    lambda number: f"{number:03x}{sha256(str(number).encode()).hexdigest()[:29]}",
    _one_each,
)

NAMINGS = (PLAIN, BROKERS, ODD, SINGLE)

YOURS = "yours"


DERIVED = "derived"
GROUP = "GID_orders"
RETRY = "%RETRY%"
"""The beginning of the name of a group's retry topic; the group's name follows."""
PLAIN_IDS = tuple(f"10.1.1.{place}@{100 + place}" for place in range(1, 5))
"""Ids without a tag, in the form that clients have by default: address@instance."""
EACH = 4
"""Number of queues of a broker whose queues are not given."""
PARTS = 18
"""The maximum number of lists of queues that each set of ids is tried with."""
TAGS = ("east", "west")
"""Tags for code that has separators but no texts: the tag before or after the separator is data there."""
FEW = 6
"""The maximum number of pairs of brokers with a text each."""
LETTERS = "abcdefghij"
MOST = 8
"""The maximum number of texts of the code."""
SUBSETS = 600
"""The maximum number of sets of derived ids."""


@dataclass(frozen=True)
class Names:
    """Client ids and lists of queues; a group has some of the ids, and one of the lists."""

    name: str
    """Short name for commands: ``yours`` or ``derived``."""
    sentence: str
    """A description for readers: ``your own client ids``."""
    ids: tuple[str, ...]
    """In the order of clients."""
    parts: tuple[Queues, ...]
    """Lists of queues, each in the order of clients. The first is the whole topic."""
    chosen: tuple[tuple[int, ...], ...] = ()
    """The sets of ids that are tried, as indexes; empty for all sets."""
    words: tuple[str, ...] = ()
    """Texts of the code from which the names were made."""
    ids_given: bool = False
    """True if the user has given the ids."""
    whole: int = 1
    """The number of ``parts`` that are all queues of a topic that the user has given; they come first."""


def given(ids: Sequence[str], queues: Queues, looked_for: Literals, group: str = GROUP) -> Names | None:
    """Return the user's names; None if there are none. The retry topic has the name of the consumer ``group``.

    Missing queues are several topics with a few numbers of queues, on brokers that the code looks for. Missing ids are
    those that clients have by default, and ids with the texts that the code looks for.
    """
    if not ids and not queues:
        return None
    told = " and ".join(part for part in ("client ids" if ids else "", "queues" if queues else "") if part)
    parts = _parts(queues, group) if queues else _topics(looked_for)
    whole = len({queue.topic for queue in queues}) or 1
    if not ids and (invented := derived(looked_for)):
        return Names(YOURS, f"your own {told}", invented.ids, parts, invented.chosen, whole=whole)
    order = tuple(sorted(ids or PLAIN_IDS, key=utf16_units))
    return Names(YOURS, f"your own {told}", order, parts, ids_given=bool(ids), whole=whole)


def in_order(queues: Sequence[MessageQueue]) -> Queues:
    """Return the queues in the order of clients."""

    def compare(one: MessageQueue, other: MessageQueue) -> int:
        return compare_queues(one, other, utf16_units, by_value)

    return tuple(sorted(queues, key=cmp_to_key(compare)))


def _parts(queues: Sequence[MessageQueue], group: str) -> tuple[Queues, ...]:
    """Return the lists that clients pass for these queues: all queues of each topic, the retry topic, and parts.

    Parts of a topic are the queues of each broker alone, and those of all brokers but one.
    """
    by_topic: dict[str, list[MessageQueue]] = {}
    for queue in queues:
        by_topic.setdefault(queue.topic, []).append(queue)
    topics = [in_order(found) for found in by_topic.values()]
    retry = [] if any(topic.startswith(RETRY) for topic in by_topic) else [retry_topic(queues, group)]
    parts = [part for topic in topics for part in _parts_of_topic(topic)]
    return (*topics, *parts[: max(0, PARTS - len(topics) - len(retry))], *retry)


def retry_topic(queues: Sequence[MessageQueue], group: str) -> Queues:
    """Return the queues of the group's retry topic: brokers create one queue each when the group connects.

    A push consumer in clustering mode subscribes to this topic itself, and divides it like any other topic.
    """
    brokers = dict.fromkeys(queue.broker_name for queue in queues)
    return in_order([queue for name in brokers for queue in one_broker(1, RETRY + group, name)])


def _parts_of_topic(queues: Queues) -> list[Queues]:
    brokers = list(dict.fromkeys(queue.broker_name for queue in queues))
    alone = [tuple(queue for queue in queues if queue.broker_name == one) for one in brokers]
    without = [tuple(queue for queue in queues if queue.broker_name != one) for one in brokers]
    return [*(alone if len(brokers) > 1 else []), *(without if len(brokers) > 2 else [])]


def _topics(looked_for: Literals) -> tuple[Queues, ...]:
    """Return topics with a few numbers of queues, then topics on brokers with the texts that the code looks for."""
    usual = [
        _on(("broker-a", "broker-b")),
        *(one_broker(count, "orders", "broker-a") for count in (4, 16, 10, 1, 2, 3)),
    ]
    return tuple((usual + [_on(names) for names in _brokers(looked_for)])[:PARTS])


def _on(brokers: Sequence[str], each: int = EACH) -> Queues:
    return in_order([queue for name in brokers for queue in one_broker(each, "orders", name)])


def _tags(looked_for: Literals) -> tuple[str, ...]:
    """Return the texts to put into names; invented ones too if the code has separators.

    A text that ends in a separator is followed by a value, and so is one before which the code may read a number.
    """
    found: list[str] = []
    for word in looked_for.words:
        if not word[-1].isalnum():
            found += [f"{word}{value}" for value in ("a", "b")]
        else:
            found.append(word)
            if looked_for.numbers and word[-1].isalpha() and len(word) < 4:
                found.append(f"{word}3")
    return tuple(dict.fromkeys([*found[:MOST], *(TAGS if looked_for.separators else ())]))


def _brokers(looked_for: Literals) -> list[tuple[str, ...]]:
    """Return lists of broker names with the texts: two tags side by side, and one beside a plain broker."""
    pairs: list[tuple[str, ...]] = []
    beside: list[tuple[str, ...]] = []
    for place in (0, 2):
        tags = enumerate(_tags(looked_for))
        names = [_forms(tag, f"broker-{LETTERS[at % len(LETTERS)]}", looked_for)[place] for at, tag in tags]
        pairs += combinations(dict.fromkeys([*names[:2], *names[-1:]]), 2)
        beside += [("broker-z", name) for name in names]
    return list(dict.fromkeys([*pairs[:FEW], *beside]))


def _forms(word: str, name: str, looked_for: Literals) -> tuple[str, str, str]:
    """Return the name with the text as its prefix, inside, and as its suffix."""
    usual = [*looked_for.separators, "@", "-"]
    before = "" if not word[-1].isalnum() else next((one for one in usual if one != "@"), "-")
    after = "" if not word[0].isalnum() else next((one for one in usual if one == "@"), usual[0])
    return f"{word}{before}{name}", f"{name}{after}{word}{before}1", f"{name}{after}{word}"


def derived(looked_for: Literals) -> Names | None:
    """Return names that contain the texts of the code, as prefix, infix and suffix; None without a text.

    Each form is tried together with plain ids, and with the same form of the other texts.
    """
    tags = _tags(looked_for)
    if not tags:
        return None
    plain = list(PLAIN_IDS[:2])
    made: list[list[tuple[str, str]]] = [[], [], []]  # for each form: two ids for each tag
    for at, tag in enumerate(tags):
        two = [_forms(tag, f"10.1.{2 + at}.{host}@{10 * (2 + at) + host}", looked_for) for host in (1, 2)]
        for place in range(3):
            made[place].append((two[0][place], two[1][place]))
    ids = list(dict.fromkeys([*plain, *(one for form in made for pair in form for one in pair)]))
    order = sorted(ids, key=utf16_units)
    sets: dict[tuple[int, ...], None] = {}

    def add(names: Sequence[str]) -> None:
        sets[tuple(sorted(order.index(one) for one in dict.fromkeys(names)))] = None

    for size in (1, 2, 3, 4):
        for form in made:
            for pair in form:
                for names in combinations((*plain, *pair), size):
                    add(names)
            for one, other in combinations([pair[0] for pair in form], 2):
                if size == 2:
                    add((one, other))
                if size == 3:
                    add((plain[0], one, other))
    words, what = looked_for.words, "names that contain texts of the code"
    if not words:
        words, what = looked_for.separators, "names with a tag at the separators of the code"
    sentence = f"{what} ({', '.join(map(repr, words[:4]))}{', ...' if words[4:] else ''})"
    return Names(DERIVED, sentence, tuple(order), _topics(looked_for), tuple(sets)[:SUBSETS], tags)
