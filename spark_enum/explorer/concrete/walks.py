"""Random walks that a model and a group with running client code make together.

After each move, every number of both states is compared. In each state, the possible moves are compared.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from random import Random
from typing import Any

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.spark_enum.explorer.concrete.group import Group
from rebalance_proofs.spark_enum.explorer.model import Move, Plain, State

OF_A_QUEUE, DAILY, CHANGES = 4, 8, 1
"""Weights of moves in a random walk.

In this order: moves of one queue; frequent moves of consumers; faults and changes of the group's members.
"""


@dataclass(frozen=True)
class Difference:
    """Moves after which the model and the running code differ; no single move can be left out."""

    moves: tuple[Move, ...]
    what: str

    def __str__(self) -> str:
        way = ", ".join(map(str, self.moves)) or "at first"
        return f"{way}: {self.what}"


@dataclass
class Walked:
    """Result of a random walk."""

    states: int = 0
    """Number of states whose possible moves were compared; a state may be counted repeatedly."""
    moves: Counter[str] = field(default_factory=Counter)
    """By the move's name, how often the states after the move were compared."""
    difference: Difference | None = None


class Compared:
    """A model and a group that runs client code, with comparisons of corresponding states."""

    def __init__(self, plain: Plain, make: Callable[[], Group]) -> None:
        self.plain, self.make = plain, make
        self._begin = plain.numbers(plain.start.queues[0])

    def begins(self) -> tuple[State, Group]:
        """Return the initial state of the model, and the initial group with running code."""
        return self.plain.start, self.make()

    def differs(self, state: State, group: Group) -> str:
        """Return a sentence about the first number that differs; empty if both states agree."""
        found = group.members()
        for name, wanted in _flat(state.members).items():
            if found[name] != wanted:
                return f"{name} is {wanted} in the model, and {found[name]} in the code"
        for place, row in enumerate(state.queues):
            numbers = group.queue(place)
            if not numbers.keys() <= self._begin.keys():
                raise KeyError(f"the model has no {', '.join(sorted(numbers.keys() - self._begin.keys()))}")
            for name, wanted in self.plain.numbers(row).items():
                # The model must not have a number that the code does not have.
                said = numbers.get(name, self._begin[name])
                if said != wanted:
                    return f"{name} of queue {place} is {wanted} in the model, and {said} in the code"
        return ""

    def fan(self, state: State, group: Group) -> Iterator[tuple[Move, State | None, Group, str]]:
        """Try every move in both. Yield the move, the state, the group after it, and the difference.

        If a move is impossible, the state is None and the group is unchanged. The difference is a sentence, empty if
        both agree.
        """
        unmoved = group.copy()
        for move in self.plain.model.moves:
            then = self.plain.after(state, move)
            other = unmoved if then is None else group.copy()
            happens = _happens(other, move)
            if then is None:
                differs = f"{move} is possible in the code and not in the model" if happens else ""
            else:
                differs = (
                    self.differs(then, other) if happens else f"{move} is possible in the model and not in the code"
                )
            yield move, then, other, differs
            if differs:
                return
        left = self.differs(state, unmoved)
        if left:
            raise AssertionError(f"the code has refused a move and still changed something: {left}")

    def along(self, moves: Sequence[Move]) -> tuple[State, Group] | Difference | None:
        """Return the state and the group after these moves, or the first ``Difference``.

        None if the model cannot make the moves.
        """
        state, group = self.begins()
        for place, move in enumerate(moves):
            then = self.plain.after(state, move)
            happens = _happens(group, move)
            if then is None:
                if not happens:
                    return None
                return Difference(tuple(moves[:place]), f"{move} is possible in the code and not in the model")
            if not happens:
                return Difference(tuple(moves[:place]), f"{move} is possible in the model and not in the code")
            state = then
            differs = self.differs(state, group)
            if differs:
                return Difference(tuple(moves[: place + 1]), differs)
        return state, group

    def reduced(self, moves: Sequence[Move]) -> Difference:
        """Return a difference that needs few of these moves, found by leaving out moves repeatedly.

        The given moves, with the last one, must lead to a difference.
        """
        found = self.along(moves)
        assert isinstance(found, Difference)
        best, last = tuple(moves), found
        smaller = True
        while smaller:
            smaller = False
            for size in (8, 4, 2, 1):
                for place in range(len(best) - size, -1, -1):
                    fewer = best[:place] + best[place + size :]
                    differs = self.along(fewer)
                    if isinstance(differs, Difference):
                        best, last, smaller = fewer, differs, True
                        break
                if smaller:
                    break
        return last


def _happens(group: Group, move: Move) -> bool:
    try:
        group.does(move)
    except Impossible:
        return False
    return True


def walked(plain: Plain, make: Callable[[], Group], seed: int, moves: int) -> Walked:
    """Make one random walk of at most ``moves`` moves, which stops at the first difference.

    In each state, all possible moves are compared. ``make`` returns the initial group, and ``seed`` selects the walk.
    """
    both, random, found = Compared(plain, make), Random(seed), Walked()
    state, group = both.begins()
    way: list[Move] = []
    for _ in range(moves):
        can: list[tuple[Move, State, Group]] = []
        for move, then, other, differs in both.fan(state, group):
            if differs:
                found.difference = both.reduced([*way, move])
                return found
            if then is not None:
                can.append((move, then, other))
                found.moves[move.name] += 1
        found.states += 1
        weights = [CHANGES if not move.daily else OF_A_QUEUE if move.queue is not None else DAILY for move, *_ in can]
        move, state, group = random.choices(can, weights)[0]
        way.append(move)
    return found


def _flat(members: Any) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for part in fields(members):
        value = getattr(members, part.name)
        found |= _flat(value) if is_dataclass(value) else {part.name: value}
    return found
