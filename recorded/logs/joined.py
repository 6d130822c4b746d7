"""Join facts from separately parsed parts of a file, as if it had been parsed at once."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from rebalance_proofs.recorded.logs.commits import CHANGES, PAUSE, STILL, ends
from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reading import Tally
from rebalance_proofs.recorded.logs.said import goes_on
from rebalance_proofs.recorded.logs.sights import merged

Key = tuple[str, str, Queue | None]
"""Key of a run of commits: group, client and queue."""
Part = tuple[Sequence[Fact], Tally]
"""Result of parsing a part: its facts, with line numbers from 1, and its line counts."""


def joined(parts: Iterable[Part]) -> list[Fact]:
    """Return the facts of all parts; runs of commits that continue in the next part are merged."""
    found: list[Fact] = []
    open_: dict[Key, int] = {}
    said: dict[tuple[object, ...], int] = {}
    before = 0
    for facts, tally in parts:
        changes = _changes(facts)
        firsts, lasts = _runs(facts)
        for place, fact in enumerate(facts):
            moved = _moved(fact, before)
            if fact.kind is Kind.SAID:
                _say(moved, found, said)
                continue
            key = _key(fact)
            earlier = found[open_[key]] if firsts.get(key) == place and key in open_ else None
            if (
                earlier is not None
                and earlier.until is not None
                and moved.at is not None
                and 0 <= moved.at - earlier.until <= PAUSE
                and not any(change.line < fact.line for change in _ending(changes, fact))
            ):
                found[open_[key]] = _one(earlier, moved)
            else:
                found.append(moved)
                if lasts.get(key) == place:
                    open_[key] = len(found) - 1
        # A run that is absent from this part continues in the next one, unless it has paused.
        for key in list(open_):
            own = facts[lasts[key]].last_line if key in lasts else 0
            if any(change.line > own for change in _ending(changes, found[open_[key]])):
                del open_[key]
        before += tally.lines
    return found


def _say(fact: Fact, found: list[Fact], said: dict[tuple[object, ...], int]) -> None:
    """Append the fact, or add it to an equal one shortly before it, as the reader does. ``said``: content -> index."""
    key = (*fact[3:8], *fact.numbers[1:], fact.name)
    place = said.get(key)
    before = found[place] if place is not None else None
    if place is not None and before is not None and goes_on(before, fact.at):
        many = before.numbers[0] + fact.numbers[0]
        numbers = (many, *before.numbers[1:])
        found[place] = before._replace(until=fact.until, last_line=fact.last_line, numbers=numbers)
    else:
        said[key] = len(found)
        found.append(fact)


def _key(fact: Fact) -> Key:
    return fact.group, fact.client, fact.queue


def _changes(facts: Iterable[Fact]) -> dict[Hashable, list[Fact]]:
    """Group lines that end runs of commits by what they affect.

    A line affects a queue, a topic of a group, or everything.
    """
    found: dict[Hashable, list[Fact]] = {}
    for fact in facts:
        if fact.kind in CHANGES:
            of = fact.queue or ((fact.group, fact.topic) if fact.kind is Kind.RESULT else None)
            found.setdefault(of, []).append(fact)
    return found


def _ending(changes: Mapping[Hashable, Sequence[Fact]], commit: Fact) -> Iterator[Fact]:
    assert commit.queue
    for of in (None, commit.queue, (commit.group, commit.queue[0])):
        yield from (change for change in changes.get(of, ()) if ends(change, commit))


def _runs(facts: Sequence[Fact]) -> tuple[dict[Key, int], dict[Key, int]]:
    """Return (queue -> index of its first run of commits, queue -> index of its last run).

    The key of a queue also contains group and client.
    """
    firsts: dict[Key, int] = {}
    lasts: dict[Key, int] = {}
    for place, fact in enumerate(facts):
        if fact.kind is Kind.COMMITTED and not fact.more:
            key = _key(fact)
            if key not in firsts or fact.line < facts[firsts[key]].line:
                firsts[key] = place
            if key not in lasts or fact.line > facts[lasts[key]].line:
                lasts[key] = place
    return firsts, lasts


def _moved(fact: Fact, lines: int) -> Fact:
    numbers = fact.numbers
    if fact.kind is Kind.COMMITTED and len(numbers) > 2:
        backs = [one + lines if place % 4 == 3 else one for place, one in enumerate(numbers[2:])]
        numbers = (*numbers[:2], *backs)
    stills = tuple(one + lines if place % 5 in (2, 4) else one for place, one in enumerate(fact.stills))
    return fact._replace(line=fact.line + lines, last_line=fact.last_line + lines, numbers=numbers, stills=stills)


def _stills(earlier: tuple[int, ...], later: tuple[int, ...]) -> tuple[int, ...]:
    """Return the times without progress of two parts of one run of commits."""
    first, last, rest = earlier[:-5], earlier[-5:], later[5:]
    if last[0] == later[0]:
        middle = (*last[:3], *later[3:5])
        return (*first, *middle, *rest) if not first or not rest or _long(middle) else (*first, *rest)
    ends = last if not first or _long(last) else ()
    begins = later[:5] if not rest or _long(later[:5]) else ()
    return (*first, *ends, *begins, *rest)


def _long(still: tuple[int, ...]) -> bool:
    return still[3] - still[1] >= STILL


def _one(earlier: Fact, later: Fact) -> Fact:
    first, last, *backs = earlier.numbers
    then, end, *more = later.numbers
    assert later.at is not None
    between = [last, then, later.at, later.line] if then < last else []
    return earlier._replace(
        until=later.until,
        last_line=later.last_line,
        numbers=(first, end, *backs, *between, *more),
        stills=_stills(earlier.stills, later.stills),
    )


def tallied(parts: Iterable[Tally]) -> Tally:
    """Return the sum of the line counts of all parts."""
    found, lines = Tally(), 0
    for part in parts:
        for one in fields(Tally):
            mine, other = getattr(found, one.name), getattr(part, one.name)
            if one.name == "example":
                if not mine and other:
                    number, _, text = other.partition(":")
                    found.example = f"{int(number) + lines}:{text}"
            elif one.name == "named":
                for name, many in other.items():
                    mine[name] = mine.get(name, 0) + many
            elif one.name == "sights":
                for name, sight in other.items():
                    mine[name] = merged(mine.get(name), sight, lines)
            elif isinstance(mine, bool | str):
                setattr(found, one.name, mine or other)
            else:
                setattr(found, one.name, mine + other)
        lines += part.lines
    return found
