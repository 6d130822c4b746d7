"""``lock-lite`` in plain Python, one group at a time, to compare the explorer with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.averagely import AVERAGELY


@dataclass(frozen=True)
class Group:
    alive: tuple[bool, ...]
    view: tuple[frozenset[int], ...]
    notify: tuple[bool, ...]
    held: tuple[tuple[bool, ...], ...]
    """By consumer and queue, as ``pos``."""
    pos: tuple[tuple[int, ...], ...]
    lock: tuple[int | None, ...]
    committed: tuple[int, ...]

    @classmethod
    def empty(cls, consumers: int, queues: int) -> "Group":
        no, none = (False,) * consumers, (frozenset(),) * consumers
        held, pos = ((False,) * queues,) * consumers, ((0,) * queues,) * consumers
        return cls(no, none, no, held, pos, (None,) * queues, (0,) * queues)


def put(values: tuple, place: int, value: object) -> tuple:
    return (*values[:place], value, *values[place + 1 :])


def put2(values: tuple, row: int, column: int, value: object) -> tuple:
    return put(values, row, put(values[row], column, value))


def what_follows(g: Group, messages: int) -> Iterator[tuple[str, Group]]:
    consumers, queues = range(len(g.alive)), range(len(g.lock))
    for c in consumers:
        if not g.alive[c]:
            alive = put(g.alive, c, True)
            yield f"joins c{c}", replace(g, alive=alive, notify=alive)
            for q in queues:
                if g.lock[q] == c:
                    yield f"expires c{c} q{q}", replace(g, lock=put(g.lock, q, None))
            continue
        for name in ("leaves", "crashes"):
            committed, lock, notify = g.committed, g.lock, put(g.notify, c, False)
            if name == "leaves":
                committed = tuple(g.pos[c][q] if g.held[c][q] else g.committed[q] for q in queues)
                lock = tuple(None if g.lock[q] == c else g.lock[q] for q in queues)
                notify = put(g.alive, c, False)
            yield (
                f"{name} c{c}",
                Group(
                    put(g.alive, c, False),
                    put(g.view, c, frozenset()),
                    notify,
                    put(g.held, c, (False,) * len(queues)),
                    put(g.pos, c, (0,) * len(queues)),
                    lock,
                    committed,
                ),
            )
        if g.notify[c]:
            yield f"misses c{c}", replace(g, notify=put(g.notify, c, False))
        yield f"rebalances c{c}", rebalanced(g, c)
        for q in queues:
            if g.held[c][q]:
                if g.pos[c][q] < messages:
                    yield f"consumes c{c} q{q}", replace(g, pos=put2(g.pos, c, q, g.pos[c][q] + 1))
                yield f"commits c{c} q{q}", replace(g, committed=put(g.committed, q, g.pos[c][q]))


def rebalanced(g: Group, c: int) -> Group:
    alive = [one for one, lives in enumerate(g.alive) if lives]
    every = AVERAGELY.queues(len(g.lock))
    own = AVERAGELY.allocate(f"c{c}", every, [f"c{one}" for one in alive])
    g = replace(g, view=put(g.view, c, frozenset(alive)), notify=put(g.notify, c, False))
    for q, queue in enumerate(every):
        if g.held[c][q] and queue not in own:
            g = replace(
                g,
                committed=put(g.committed, q, g.pos[c][q]),
                pos=put2(g.pos, c, q, 0),
                lock=put(g.lock, q, None) if g.lock[q] == c else g.lock,
                held=put2(g.held, c, q, False),
            )
        elif not g.held[c][q] and queue in own and g.lock[q] in (None, c):
            g = replace(g, lock=put(g.lock, q, c), held=put2(g.held, c, q, True), pos=put2(g.pos, c, q, g.committed[q]))
    return g


def reachable(consumers: int, queues: int, messages: int) -> tuple[set[Group], int]:
    """All reachable groups, and the number of moves between them."""
    begin = Group.empty(consumers, queues)
    seen, fresh, moves = {begin}, [begin], 0
    while fresh:
        found = set()
        for group in fresh:
            after = [one for _, one in what_follows(group, messages)]
            moves += len(after)
            found.update(after)
        fresh = list(found - seen)
        seen.update(fresh)
    return seen, moves
