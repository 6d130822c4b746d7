"""The answer in a terminal: a sentence, then a table for each strategy."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.report.aligned import aligned
from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.mark import BRIEFLY
from rebalance_proofs.report.moves.event import Event, Group
from rebalance_proofs.report.moves.moved import Moved, Moves
from rebalance_proofs.report.names import short_label

__all__ = ["heads", "name", "place", "sentence", "told"]

CRASH = (
    "After a crash the queues are divided as after a leave; what differs is when the others notice. Until then nobody "
    "consumes the {}: `rebalance settle --client VERSION --event crash` tells for how long."
)
LEAVE = "How long that takes: `rebalance settle --client VERSION --event shutdown`."
JOIN = (
    "How long that takes, and how long two can read one queue meanwhile: "
    "`rebalance settle --client VERSION --event join`."
)
GROW = "How long that takes: `rebalance settle --client VERSION --event queues-added`."
GIVEN = "All this as long as all consumers see the same and run the same; `rebalance show CLAIM` tells what is proved."
KAFKA = (
    "Kafka's are not RocketMQ: one topic, no racks, members sorted by their ids, which Kafka makes up unless "
    "group.instance.id is set."
)


def told(group: Group, every: Sequence[Moves]) -> Iterator[str]:
    """The whole answer."""
    own, others = ([one for one in every if one.rocketmq is whose] for whose in (True, False))
    yield sentence(group, own)
    yield ""
    if group.event is Event.GROW:
        yield from aligned([heads(group), *((name(one), str(one.worst.hands), one.basis) for one in every)])
    else:
        for one in (*own, *others):
            yield from _table(group, one)
            yield ""
        if others:
            yield KAFKA
    if group.event is Event.GROW:
        yield ""
    yield from notes(group, own)


def sentence(group: Group, every: Sequence[Moves]) -> str:
    """The answer in one sentence."""
    under = listing(f"{_hands(one)} under {short_label(one.strategy)}" for one in every)
    if group.event is Event.GROW:
        new = count(group.grown - group.queues, "new queue")
        return (
            f"From {group.queues:,} to {count(group.grown, 'queue')} with {count(group.consumers, 'consumer')}, "
            f"of the old queues {under} change hands; none has to, for the {new} can go to whoever has fewest."
        )
    joins = group.event is Event.JOIN
    who = "the newcomer" if joins else "whoever leaves"
    moving = f"From {group.consumers:,} to {count(group.after, 'consumer')} with {count(group.queues, 'queue')}"
    needed = _range([moved.needed for one in every for moved in one.places])
    least = (
        f"{needed} would be enough to give it a balanced share"
        if joins
        else f"{needed} have to, those that {who} had and that need another owner under any strategy"
    )
    return f"{moving}, {under} change hands{_decides(every, who)}; {least}."


def _decides(every: Sequence[Moves], who: str) -> str:
    """What the number depends on, if it varies."""
    by_name = [one for one in every if _hashes(one)]
    if all(len(one.places) == 1 for one in every):
        return ""
    if len(by_name) == len(every):
        return f", depending on the id of {who}"
    itself = " (under CONSISTENT_HASH on the id itself)" if by_name else ""
    return f", depending on where the id of {who} sorts{itself}"


def _hashes(one: Moves) -> bool:
    return "HASH" in one.strategy.rocketmq_name


def _hands(one: Moves) -> str:
    return _range([moved.hands for moved in one.places])


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def name(one: Moves) -> str:
    """The strategy's name as users know it."""
    return short_label(one.strategy) if one.rocketmq else f"{one.strategy.rocketmq_name} (not RocketMQ)"


def heads(group: Group) -> tuple[str, ...]:
    """Column heads."""
    if group.event is Event.GROW:
        return "strategy", "old queues that change hands", "by"
    who = "to the newcomer" if group.event is Event.JOIN else "of whoever leaves"
    return "sorts", "id", "change hands", who, "between those who stay", "needed", "by"


def place(group: Group, moved: Moved) -> str:
    """Place among the sorted ids: ``1 of 5``."""
    return "" if moved.place is None else f"{moved.place + 1} of {len(group.ids)}"


def _table(group: Group, one: Moves) -> Iterator[str]:
    worst, least = one.worst, one.least
    if worst.hands == least.hands:
        yield f"{name(one)}: {worst.hands:,} of {group.queues:,}"
    else:
        yield (
            f"{name(one)}: worst {worst.hands:,} of {group.queues:,} ({place(group, worst)}), "
            f"least {least.hands:,} ({place(group, least)})"
        )
    rows = [
        (
            place(group, moved),
            "" if moved.place is None else group.ids[moved.place],
            *map(str, (moved.hands, moved.own, moved.between, moved.needed)),
            one.basis,
        )
        for moved in one.places
    ]
    yield from (f"  {line}" for line in aligned([heads(group), *rows]))


def notes(group: Group, every: Sequence[Moves]) -> Iterator[str]:
    """Remarks on what the numbers suppose and leave out."""
    if any(not one.claims and _hashes(one) for one in every):
        ids = group.ids if len(group.ids) <= 4 else (*group.ids[:2], "...", group.ids[-1])
        yield (
            f"CONSISTENT_HASH goes by the names of queues and ids: it is counted for the ids {', '.join(ids)}. "
            "With others other queues move, and maybe more or fewer; --ids counts with yours."
        )
        yield from _proved_besides(every)
    if group.event is Event.JOIN and any(moved.own < moved.needed for one in every for moved in one.places):
        yield "Where fewer go to the newcomer than are needed, its share is smaller than a balanced one."
    if group.event is Event.GROW:
        where = (
            "behind all old ones" if group.brokers == 1 else f"behind the old ones of each of {group.brokers} brokers"
        )
        yield f"The new queues sort {where}; --brokers counts a topic that lies on several."
        yield GROW
    if group.event is Event.JOIN:
        yield JOIN
    if group.event is Event.LEAVE:
        yield LEAVE
    if group.event is Event.CRASH:
        had = _range([moved.own for one in every for moved in one.places])
        yield CRASH.format("queue that it had" if had == "1" else f"{had} queues that it had")
    yield GIVEN
    yield BRIEFLY


def _proved_besides(every: Sequence[Moves]) -> Iterator[str]:
    """The proved claim that no queue moves between other consumers, for rings, where numbers are only counted."""
    ids = [f"allocation.{one.strategy.name}.monotone" for one in every]
    claims = [claim.id for claim in entries().values() if claim.id in ids and claim.holds]
    if claims:
        yield f"That none goes between those who stay is proved for any ids: {', '.join(claims)}."
