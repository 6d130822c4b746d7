"""The facts of parts of a file put together, as if it had been read at once."""

from collections.abc import Iterable, Sequence
from dataclasses import fields

from rebalance_proofs.recorded.logs.commits import PAUSE
from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reader import CHANGES, Tally

__all__ = ["joined", "tallied"]

Part = tuple[Sequence[Fact], Tally]
"""Facts of a part, with line numbers that begin with 1, and what was read of it."""


def joined(parts: Iterable[Part]) -> list[Fact]:
    """All facts; runs of commits that go on in the next part are one."""
    found: list[Fact] = []
    open_: dict[tuple[str, str, Queue | None], int] = {}
    before = 0
    for facts, tally in parts:
        last_change = first_change = 0
        for fact in facts:
            if fact.kind in CHANGES:
                last_change = max(last_change, fact.line)
                first_change = min(first_change or fact.line, fact.line)
        firsts = _firsts(facts)
        opened: dict[tuple[str, str, Queue | None], int] = {}
        for place, fact in enumerate(facts):
            moved = _moved(fact, before)
            key = (fact.group, fact.client, fact.queue)
            run = fact.kind is Kind.COMMITTED and not fact.more
            if run and firsts.get(key) == place and key in open_ and not 0 < first_change < fact.line:
                earlier = found[open_[key]]
                if earlier.until is not None and moved.at is not None and 0 <= moved.at - earlier.until <= PAUSE:
                    found[open_[key]] = _one(earlier, moved)
                    where = open_[key]
                else:
                    found.append(moved)
                    where = len(found) - 1
            else:
                found.append(moved)
                where = len(found) - 1
            if run and fact.line > last_change:
                opened[key] = where
        # What is not in this part at all has paused, unless the part is shorter than a pause.
        open_ = opened if last_change else {**open_, **opened}
        before += tally.lines
    return found


def _firsts(facts: Sequence[Fact]) -> dict[tuple[str, str, Queue | None], int]:
    """Place of each queue's first run."""
    found: dict[tuple[str, str, Queue | None], int] = {}
    for place, fact in enumerate(facts):
        if fact.kind is Kind.COMMITTED and not fact.more:
            key = (fact.group, fact.client, fact.queue)
            if key not in found or fact.line < facts[found[key]].line:
                found[key] = place
    return found


def _moved(fact: Fact, lines: int) -> Fact:
    numbers = fact.numbers
    if fact.kind is Kind.COMMITTED and len(numbers) > 2:
        backs = [one + lines if place % 4 == 3 else one for place, one in enumerate(numbers[2:])]
        numbers = (*numbers[:2], *backs)
    return fact._replace(line=fact.line + lines, last_line=fact.last_line + lines, numbers=numbers)


def _one(earlier: Fact, later: Fact) -> Fact:
    first, last, *backs = earlier.numbers
    then, end, *more = later.numbers
    assert later.at is not None
    between = [last, then, later.at, later.line] if then < last else []
    return earlier._replace(until=later.until, last_line=later.last_line, numbers=(first, end, *backs, *between, *more))


def tallied(parts: Iterable[Tally]) -> Tally:
    """What was read of all parts."""
    found, lines = Tally(), 0
    for part in parts:
        for one in fields(Tally):
            mine, other = getattr(found, one.name), getattr(part, one.name)
            if one.name == "example":
                if not mine and other:
                    number, _, text = other.partition(":")
                    found.example = f"{int(number) + lines}:{text}"
            elif isinstance(mine, bool):
                setattr(found, one.name, mine or other)
            else:
                setattr(found, one.name, mine + other)
        lines += part.lines
    return found
