"""Compare a released package with the model of its client: strategies, and sort orders."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from rebalance_proofs.model.own.call import ENDING, Call, Refused
from rebalance_proofs.model.profiles import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.conform import (
    BOUND,
    PATIENCE,
    SORTED,
    Compared,
    Difference,
    compare,
    of_model,
    throws,
)
from rebalance_proofs.recorded.jar.shipped import SHIPPED, Shipped, listed_rooms
from rebalance_proofs.recorded.packages.driver import LIMIT, Driver, Lists, NotConstructed
from rebalance_proofs.recorded.packages.install import Installed, Package

# Compare the sort orders of a released client with the model: mqAll and cidAll, before a strategy gets them.

QUEUES, IDS = "order of queues", "order of client ids"
TOPIC = "T"

NAMES = (
    "",
    "broker-10",
    "broker-2",
    "broker-a",
    "Broker-b",
    "broker_a",
    "broker.a",
    "broker@a",
    "broker",
    "10.1.1.9@5#1",
    "10.1.1.10@5#1",
    "10.1.1.10@49#1",
    "10.1.1.10@5",
    "10.1.1.10@5@UNIT",
    "é",
    "e\u0301",
    "中",
    "\ue000",
    "Ａ",
    "\uffff",
    "😀",
    "\U0001f601",
    "\U00010000",
    "\U0010ffff",
)
"""Names that sort orders may treat differently: digits, case, punctuation, prefixes, composed and rare characters.

UTF-16 units and UTF-8 bytes order a supplementary character and one of U+E000 .. U+FFFF differently.
"""
NUMBERS = (0, 1, 2, 9, 10, 11, 100, -1, -2, 2**31 - 1, -(2**31))
"""The queueIds."""
LONG = (3, 5, 8, 13, 24)
"""Lengths of lists that are drawn at random, with repetitions."""
EACH = 40
"""Number of lists of each of these lengths."""


@cache
def lists() -> tuple[Lists, ...]:
    """Return unsorted lists of queues and of client ids, the shortest first.

    They are all pairs of names as client ids, as brokerNames and as topics, all pairs of queueIds, and random longer
    lists. Client ids are not empty.
    """
    found: list[Lists] = [((), (one, two)) for one, two in product(NAMES, NAMES) if one and two]
    found += [(pair, ()) for pair in _pairs()]
    drawn = random.Random(1)
    for length in LONG:
        for _ in range(EACH):
            names, brokers = drawn.choices(NAMES[1:], k=length), drawn.choices(NAMES, k=length)
            queues = (
                MessageQueue(drawn.choice((TOPIC, TOPIC, "t")), name, number)
                for name, number in zip(brokers, drawn.choices(NUMBERS, k=length), strict=True)
            )
            found.append((tuple(queues), tuple(names)))
    return tuple((mq_all or (MessageQueue(TOPIC, "b", 0),), cid_all or ("c0",)) for mq_all, cid_all in found)


def _pairs() -> Iterator[tuple[MessageQueue, MessageQueue]]:
    for first, second in product(NUMBERS, NUMBERS):
        yield MessageQueue(TOPIC, "b", first), MessageQueue(TOPIC, "b", second)
    for one, two in product(NAMES, NAMES):
        yield MessageQueue(TOPIC, one, 1), MessageQueue(TOPIC, two, 0)
        if one and two:
            yield MessageQueue(one, "b", 1), MessageQueue(two, "a", 0)


def compare_sorts(driver: Driver, profile: Profile, asked: Sequence[Lists]) -> list[Compared]:
    """Return two results: how the client sorts queues, and client ids. Raises ``NotConstructed``."""
    counts = {QUEUES: 0, IDS: 0}
    smallest: dict[str, Difference] = {}
    made = ended = 0
    while made < len(asked) and ended < PATIENCE:
        some = asked[made:]
        for (mq_all, cid_all), answer in zip(some, driver.sorts(some), strict=False):
            made += 1
            ended += isinstance(answer, Refused) and answer.kind in ENDING
            expected = (tuple(profile.sort_queues(mq_all)), tuple(profile.sort_client_ids(cid_all)))
            calls = ((QUEUES, Call(SORTED, "", mq_all, ())), (IDS, Call(SORTED, "", (), cid_all)))
            for place, (name, call) in enumerate(calls):
                theirs = answer if isinstance(answer, Refused) else answer[place]
                if theirs != expected[place]:
                    counts[name] += 1
                    smallest.setdefault(name, Difference(call, _told(theirs), _told(expected[place])))
    left = len(asked) - made
    return [Compared(name, made, counts[name], smallest.get(name), left) for name in (QUEUES, IDS)]


def _told(found: Sequence[MessageQueue | str] | Refused) -> str:
    return found.what if isinstance(found, Refused) else f"sorts [{', '.join(map(_said, found))}]"


def _said(item: MessageQueue | str) -> str:
    return repr(item) if isinstance(item, str) else f"{item.topic} {item.broker_name!r} {item.queue_id}"


NULLS = "null lists and null elements"
BY_TYPE = "the sort call in the client's own rebalance: the driver makes the same call on the crate's types"
"""The Rust client's rebalance is not public, and its driver cannot call it."""


@dataclass(frozen=True)
class Conformed:
    """The results of comparing one package."""

    strategies: tuple[Compared, ...]
    sorts: tuple[Compared, ...]
    """The orders of queues and of client ids; empty if the package's sorts cannot be called."""
    not_compared: tuple[str, ...]
    """Descriptions of what was left out, each with the reason."""

    @property
    def results(self) -> tuple[Compared, ...]:
        """All results: strategies first."""
        return (*self.strategies, *self.sorts)

    @property
    def differ(self) -> int:
        """Number of calls and lists for which package and model differ."""
        return sum(one.differ for one in self.results)


def shipped_by(client: str, profile: Profile) -> tuple[Shipped, ...]:
    """Return the strategies to compare, with their constructor arguments, for a client's short name."""
    found = tuple(one for one in SHIPPED if profile.strategy(one.strategy))
    if client == "rust":  # Rust has no null: the constructors require their arguments.
        return tuple(one for one in found if one.made not in ("with nothing inside", "no list"))
    if client == "go":  # A room that is named twice counts twice in a Go slice.
        return (*found, listed_rooms("room1", "room1"))
    return found


def conform_package(
    package: Package,
    installed: Installed,
    *,
    bound: int = BOUND,
    limit: float = LIMIT,
    shipped: Sequence[Shipped] | None = None,
    asked: Sequence[Lists] | None = None,
    found: Callable[[Compared], None] = lambda compared: None,
) -> Conformed:
    """Compare all strategies and both sort orders, and call ``found`` with each result.

    ``bound`` is the largest number of consumers and of queues, ``limit`` the time limit of a call in seconds.
    ``shipped`` and ``asked`` are strategies and lists, by default all.
    """
    profile, client = package.kind.profile, package.kind.client
    assert profile
    strategies: list[Compared] = []
    for one in shipped_by(client, profile) if shipped is None else shipped:
        strategies.append(_compared(one, installed, profile, bound, limit))
        found(strategies[-1])
    left_out = [NULLS]
    sorts: list[Compared] = []
    if installed.unsorted:
        left_out.append(f"{QUEUES} and {IDS}: {installed.unsorted}")
    else:
        with Driver(installed.command, installed.folder, limit=limit) as driver:
            sorts = compare_sorts(driver, profile, lists() if asked is None else asked)
        for result in sorts:
            found(result)
    if client == "rust":
        left_out.append(BY_TYPE)
    return Conformed(tuple(strategies), tuple(sorts), tuple(left_out))


def _compared(shipped: Shipped, installed: Installed, profile: Profile, bound: int, limit: float) -> Compared:
    expected = of_model(shipped, profile)
    make = {"strategy": shipped.strategy, **shipped.given}
    driver = Driver(installed.command, installed.folder, make, limit=limit)
    try:
        with driver:
            if isinstance(expected, ClientError):
                return Compared(shipped.name, 1, 1, Difference(None, "is constructed", f"throws {expected}"))
            return compare(shipped.name, driver, profile, expected, shipped.calls(bound))
    except NotConstructed as error:
        if error.absent:
            return Compared(shipped.name, 0, 1, Difference(None, str(error), "ships it"))
        if isinstance(expected, ClientError) and throws(str(error), expected):
            return Compared(shipped.name, 1)
        said = f"throws {expected}" if isinstance(expected, ClientError) else "constructs it"
        return Compared(shipped.name, 1, 1, Difference(None, str(error), said))
