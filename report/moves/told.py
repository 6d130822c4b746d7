"""The answer of ``rebalance moves`` as text: a sentence, then tables."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rebalance_proofs.report.claims.mark import BRIEFLY, legend
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.moves.change import Event, Group, by_index
from rebalance_proofs.report.moves.moved import Moved, Moves
from rebalance_proofs.report.names import short_label
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.wrapping import aligned

# The first sentence of an answer: the level strategy with the fewest moves.


class Runner(NamedTuple):
    """One strategy in the comparison."""

    name: str
    level: bool
    """True if no consumer has two queues more than another."""
    moves: tuple[Fraction, ...]
    """Average numbers of moves, the most important first."""


def best(runners: Sequence[Runner]) -> list[Runner]:
    """Return the level strategies with the fewest moves; any if none is level."""
    among = [one for one in runners if one.level] or list(runners)
    fewest = min(one.moves for one in among)
    return [one for one in among if one.moves == fewest]


def leading(runners: Sequence[Runner]) -> str:
    """Return the sentence."""
    found = best(runners)
    names = listing(one.name for one in found)
    moves = "moves" if len(found) == 1 else "move"
    if not found[0].level:
        return f"No strategy here gives level shares; {names} {moves} the fewest queues."
    if len(runners) == len(found):
        return f"The shares under {names} are level."
    return f"{names} {moves} the fewest queues of all strategies with level shares."


CRASH = (
    "A crash moves the same queues as a leave, but the others notice it later. Until then no consumer reads the {}. "
    "Duration: `rebalance settle --client VERSION --event crash`."
)
LEAVE = "Duration: `rebalance settle --client VERSION --event shutdown`."
JOIN = "Duration, and time with two readers of one queue: `rebalance settle --client VERSION --event join`."
GROW = "Duration: `rebalance settle --client VERSION --event queues-added`."
GIVEN = "All consumers must see the same lists and use the same strategy."
KAFKA = (
    "Kafka, for comparison: one topic, no racks, members sorted by their ids. Kafka generates the ids unless "
    "group.instance.id is set."
)


def told(group: Group, every: Sequence[Moves], *, everything: bool = False) -> Iterator[str]:
    """Yield the answer; ``everything``: with a row for each position of the consumer, and all remarks."""
    own, others = ([one for one in every if one.rocketmq is whose] for whose in (True, False))
    yield sentence(group, own)
    yield ""
    if group.event is Event.GROW:
        yield from aligned([heads(group), *((name(one), str(one.worst.hands), one.basis) for one in every)])
        yield ""
    elif everything:
        for one in (*own, *others):
            yield from _table(group, one)
            yield ""
    else:
        yield from aligned(
            [("strategy", "fewest (position)", "most (position)", "evidence"), *(_summary(group, one) for one in every)]
        )
        yield ""
    yield from notes(group, own, everything=everything)
    if others and everything and group.event is not Event.GROW:
        yield KAFKA
    if everything:
        yield f"{GIVEN} `rebalance show CLAIM` explains a claim."
        yield BRIEFLY
        return
    yield f"{GIVEN} `--all` lists {'all remarks' if group.event is Event.GROW else 'every position and all remarks'}."
    yield legend(one.mark for one in every)


def _summary(group: Group, one: Moves) -> tuple[str, str, str, str]:
    fewest, most = (f"{found.hands:,} ({place(group, found)})" for found in (one.least, one.worst))
    return name(one), fewest, most, one.basis


def sentence(group: Group, every: Sequence[Moves]) -> str:
    """Return the answer in a few sentences: the best strategy, then the numbers."""
    return f"{_lead(every)} {_sentence(group, every)}"


def _lead(every: Sequence[Moves]) -> str:
    runners = [
        Runner(name(one), by_index(one.strategy) is not None, (_average(one),)) for one in every
    ]  # Strategies that depend on the index alone are level.
    found = best(runners)
    fewer = [one.name for one in runners if found[0].level and not one.level and one.moves < found[0].moves]
    more = f" {listing(fewer)} {'moves' if len(fewer) == 1 else 'move'} fewer, but the shares are not always level."
    return leading(runners) + (more if fewer else "")


def _average(one: Moves) -> Fraction:
    return Fraction(sum(moved.hands for moved in one.places), len(one.places))


def _sentence(group: Group, every: Sequence[Moves]) -> str:
    under = listing(f"{_hands(one)} under {short_label(one.strategy)}" for one in every)
    if group.event is Event.GROW:
        new = count(group.grown - group.queues, "new queue")
        return (
            f"From {group.queues:,} to {count(group.grown, 'queue')} with {count(group.consumers, 'consumer')}, "
            f"of the old queues {under} change owners. None has to: the {new} could go to the consumers with the "
            "fewest queues."
        )
    joins = group.event is Event.JOIN
    who = "new" if joins else "leaving"
    moving = f"From {group.consumers:,} to {count(group.after, 'consumer')} with {count(group.queues, 'queue')}"
    needed = _range([moved.needed for one in every for moved in one.places])
    least = (
        f"{needed} would be enough to give the new consumer a balanced share."
        if joins
        else f"{needed} have to under any strategy: the queues of the leaving consumer."
    )
    return f"{moving}, {under} change owners{_decides(every, who)}. {least}"


def _decides(every: Sequence[Moves], who: str) -> str:
    """Return why the number varies with the position of the consumer; empty if it does not vary."""
    by_name = [one for one in every if _hashes(one)]
    if all(len(one.places) == 1 for one in every):
        return ""
    if len(by_name) == len(every):
        return f", depending on the id of the {who} consumer"
    itself = " (under CONSISTENT_HASH, on the id itself)" if by_name else ""
    return f", depending on the sort position of the {who} consumer's id{itself}"


def _hashes(one: Moves) -> bool:
    return "HASH" in one.strategy.rocketmq_name


def _hands(one: Moves) -> str:
    return _range([moved.hands for moved in one.places])


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def name(one: Moves) -> str:
    """Return the strategy's name as users know it."""
    return short_label(one.strategy) if one.rocketmq else f"{one.strategy.rocketmq_name} (not RocketMQ)"


def heads(group: Group) -> tuple[str, ...]:
    """Return the column heads of the table for the group's event."""
    if group.event is Event.GROW:
        return "strategy", "old queues that change owners", "evidence"
    who = "to the new consumer" if group.event is Event.JOIN else "from the leaving consumer"
    return "position", "id", "change owners", who, "between the others", "needed", "evidence"


def place(group: Group, moved: Moved) -> str:
    """Return the consumer's position among the sorted ids: ``1 of 5``."""
    return "" if moved.place is None else f"{moved.place + 1} of {len(group.ids)}"


def _table(group: Group, one: Moves) -> Iterator[str]:
    worst, least = one.worst, one.least
    if worst.hands == least.hands:
        yield f"{name(one)}: {worst.hands:,} of {group.queues:,}"
    else:
        yield (
            f"{name(one)}: most {worst.hands:,} of {group.queues:,} ({place(group, worst)}), "
            f"fewest {least.hands:,} ({place(group, least)})"
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


def notes(group: Group, every: Sequence[Moves], *, everything: bool) -> Iterator[str]:
    """Yield remarks on the assumptions and limits of the numbers."""
    if any(not one.claims and _hashes(one) for one in every):
        ids = group.ids if len(group.ids) <= 4 else (*group.ids[:2], "...", group.ids[-1])
        yield (
            f"CONSISTENT_HASH depends on the names of queues and ids; it is counted for the ids {', '.join(ids)}. "
            "--ids counts with yours."
        )
        if everything:
            yield from _proved_besides(every)
    if (
        everything
        and group.event is Event.JOIN
        and any(moved.own < moved.needed for one in every for moved in one.places)
    ):
        yield "If the new consumer gets fewer queues than needed, its share is smaller than a balanced one."
    if group.event is Event.GROW:
        where = "after all old ones" if group.brokers == 1 else f"after the old ones of each of {group.brokers} brokers"
        yield f"The new queues sort {where}; --brokers counts a topic on several brokers."
        yield GROW
    if group.event is Event.JOIN:
        yield JOIN
    if group.event is Event.LEAVE:
        yield LEAVE
    if group.event is Event.CRASH:
        had = _range([moved.own for one in every for moved in one.places])
        yield CRASH.format("queue that it had" if had == "1" else f"{had} queues that it had")


def _proved_besides(every: Sequence[Moves]) -> Iterator[str]:
    """Yield the proved claim that no queue moves between the other consumers, for consistent hashing."""
    ids = [f"allocation.{one.strategy.name}.monotone" for one in every]
    claims = [claim.id for claim in entries().values() if claim.id in ids and claim.holds]
    if claims:
        yield f"For any ids, no queue moves between the other consumers: {', '.join(claims)} (proved)."
