"""Logs of groups with a known truth, for tests and benchmarks: members come, go, stop for a while, and are told late.

A group is played with the clients' own allocation, and written as clients of 4.x and of 5.1 and later log it, in their
native forms.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.queues import MessageQueue, to_string
from rebalance_proofs.recorded.logs.times import date_of

START = 1_700_000_000_000
"""ms at which every group begins."""
COMMITS = 5_000
NOBODY = "10.0.0.00@4711"
LATE = 20_000
"""ms after which a member that was not notified rebalances."""


class Held(NamedTuple):
    """The truth: a member's entry of a queue."""

    client: str
    queue: MessageQueue
    begin: int
    end: int
    log: str


class Turn(NamedTuple):
    """A rebalance: what the member was given, and took."""

    log: str
    client: str
    at: int
    strategy: str
    """As it is logged."""
    mq_all: tuple[MessageQueue, ...]
    cid_all: tuple[str, ...]
    result: tuple[MessageQueue, ...]


class Odd(StrEnum):
    """What one member does otherwise than the others."""

    NO = ""
    STRATEGY = "it has another strategy"
    SHARES = "it takes other queues than the strategy that it names gives"
    ORDER = "its list is sorted the other way round"
    LIST = "its list has an id of nobody in the place of another member's"
    ID = "it has the first member's id"


@dataclass(frozen=True)
class Form:
    """A version's form of a line."""

    name: str
    zone: int
    """ms by which it is ahead of UTC."""
    head: str
    """strftime, with ``{ms:03}`` and ``{level}``."""
    end: str
    result: str

    def line(self, at: int, message: str, level: str = "INFO") -> str:
        """The whole line."""
        when = date_of(at + self.zone)
        return (
            when.strftime(self.head).replace("{ms}", f"{at % 1000:03}").replace("{level}", level) + message + self.end
        )


FORMS = {
    "4": Form("4", 0, "%Y-%m-%d %H:%M:%S,{ms} {level} RocketmqClient - ", "\r\n", "rebalanced result changed. "),
    "5": Form(
        "5",
        8 * 3_600_000,
        "%Y-%m-%d %H:%M:%S.{ms} {level}  [4711] [RebalanceService] [RocketmqClient#?:?] - ",
        "\n",
        "client rebalanced result changed. ",
    ),
}


@dataclass
class Played:
    """What was logged, member by member, and what was so."""

    logs: dict[str, list[str]] = field(default_factory=dict)
    """By client id; of a second process with the same id, with ``-b`` behind it."""
    ran: dict[str, tuple[int, int]] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    stopped: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Times in which a member stood still."""
    killed: set[int] = field(default_factory=set)
    """Times at which one was killed."""


@dataclass
class _Member:
    log: str
    client: str
    begin: int
    end: int
    how: str
    """``shutdown`` or ``kill``."""
    stop: tuple[int, int] | None
    table: dict[MessageQueue, int] = field(default_factory=dict)
    turns: list[int] = field(default_factory=list)
    """Times at which it rebalances."""
    odd: Odd = Odd.NO

    def turn(self, at: int, topic: tuple[MessageQueue, ...], listed: list[str]) -> Turn:
        """What it makes of the topic's queues and the ids that the broker lists, which are in order."""
        if self.odd is Odd.ORDER:
            listed = listed[::-1]
        elif self.odd is Odd.LIST and len(listed) > 1:
            listed = sorted([NOBODY, *[one for one in listed if one != self.client][1:], self.client])
        strategy = AVERAGELY_BY_CIRCLE if self.odd in (Odd.STRATEGY, Odd.SHARES) else AVERAGELY
        share = strategy.allocate(self.client, topic, listed) or []
        name = "AVG_BY_CIRCLE" if self.odd is Odd.STRATEGY else "AVG"
        return Turn(self.log, self.client, at, name, topic, tuple(listed), tuple(share))


def play(
    seed: int,
    members: int = 3,
    queues: int = 8,
    seconds: int = 120,
    form: str = "4",
    late: float = 0.2,
    odd: Odd = Odd.NO,
) -> Played:
    """A group; of notifications, the share ``late`` is lost. The second member is ``odd``."""
    drawn, found = random.Random(seed), Played()
    every = [_member(drawn, number, seconds * 1000) for number in range(members)]
    if odd and len(every) > 1:
        every[1].odd = odd
    if odd is Odd.ID and len(every) > 1:
        every[1].client, every[1].log = every[0].client, f"{every[0].client}-b"
    found.killed = {one.end for one in every if one.how == "kill"}
    for one in every:
        for other in every:
            for at in (other.begin, other.end if other.how == "shutdown" else other.end + 100):
                if one.begin <= at < one.end:
                    soon = 50 + drawn.randrange(400)
                    one.turns.append(at + (LATE if drawn.random() < late and one is not other else soon))
        found.ran[one.log] = one.begin, one.end
        if one.stop:
            found.stopped[one.log] = [one.stop]
            one.turns = [one.stop[1] + 40 if one.stop[0] <= at < one.stop[1] else at for at in one.turns]
        one.turns = sorted(at for at in one.turns if at < one.end)
    topic = tuple(MessageQueue("ORDERS", "broker-a", number) for number in range(queues))
    for one in every:
        found.logs[one.log] = [text for _, text in sorted(_lines(one, every, topic, FORMS[form], found))]
    return found


def _member(drawn: random.Random, number: int, long: int) -> _Member:
    begin = START + (0 if number == 0 else drawn.randrange(long // 2))
    stays = number == 0 or drawn.random() < 0.5
    end = START + long + number if stays else begin + drawn.randrange(long // 4, long // 2)
    at = begin + drawn.randrange(long // 4) + 10_000
    stop = (at, at + drawn.randrange(20_000, 60_000)) if drawn.random() < 0.3 else None
    if stop and stop[1] + 1_000 > end:
        stop = None
    client = f"10.0.0.{number}@4711"
    return _Member(client, client, begin, end, drawn.choice(("shutdown", "kill")), stop)


def _lines(
    one: _Member, every: list[_Member], topic: tuple[MessageQueue, ...], form: Form, found: Played
) -> Iterator[tuple[tuple[int, int], str]]:
    """((ms, order within it), line) of each line of a member."""
    order = 0

    def said(at: int, message: str, level: str = "INFO") -> tuple[tuple[int, int], str]:
        nonlocal order
        order += 1
        return (at, order), form.line(at, message, level)

    yield said(one.begin, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false")
    spans: list[Held] = []
    for at in one.turns:
        # A member is listed from its beginning; one that was killed, until the broker's connection is closed.
        listed = sorted(
            {other.client for other in every if other.begin <= at < other.end + (90 if other.how == "kill" else 0)}
        )
        turn = one.turn(at, topic, listed)
        found.turns.append(turn)
        share = turn.result
        before = set(one.table)
        for queue in [each for each in one.table if each not in share]:
            name = to_string(queue)
            yield said(at, f"[persist] Group: G ClientId: {one.client} updateConsumeOffsetToBroker {name} {at - START}")
            yield said(at, f"doRebalance, G, remove unnecessary mq, {name}")
            spans.append(Held(one.client, queue, one.table.pop(queue), at, one.log))
        for queue in [each for each in share if each not in one.table]:
            yield said(at, f"doRebalance, G, add a new mq, {to_string(queue)}")
            one.table[queue] = at
        if set(one.table) != before:
            names = ", ".join(map(to_string, share))
            yield said(
                at,
                f"{form.result}allocateMessageQueueStrategyName={turn.strategy}, group=G, topic=ORDERS, "
                f"clientId={one.client}, mqAllSize={len(topic)}, cidAllSize={len(turn.cid_all)}, "
                f"rebalanceResultSize={len(share)}, rebalanceResultSet=[{names}]",
            )
    spans += [Held(one.client, queue, begin, one.end, one.log) for queue, begin in one.table.items()]
    if one.how == "shutdown" and one.end < START + 10**9:
        yield said(one.end, "the consumer [G] shutdown OK")
    found.held += spans
    # Who goes on commits at once: its timer is late.
    times = [*range(one.begin + COMMITS, one.end, COMMITS), *([one.stop[1] + 10] if one.stop else [])]
    for at in times:
        if one.stop and one.stop[0] <= at < one.stop[1]:
            continue
        for span in spans:
            if span.begin < at < span.end:
                yield said(
                    at,
                    f"[persistAll] Group: G ClientId: {one.client} updateConsumeOffsetToBroker "
                    f"{to_string(span.queue)} {at - START}",
                )
