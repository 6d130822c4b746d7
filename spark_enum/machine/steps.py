"""Comparison of a state machine's code with its compiled formulas, action by action.

The formulas (terms) are those that the solvers use in proofs; the code is the modelled client code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, product
from math import gcd, prod
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.subject import Subject
from rebalance_proofs.proofs.machine.compiled import compiled
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.run import act
from rebalance_proofs.spark_enum.actions import After, Columns, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.results import ONE_IN, Totals

Client = TypeVar("Client", bound=Subject)
FEW = 500
"""Minimum number of states for a sample: a smaller one could leave out rows of a part."""
GOLDEN = 0.6180339887498949
"""The golden section, because the fractional parts of its multiples are spread most evenly."""


@dataclass(frozen=True, eq=False)
class Space(Generic[S, C, L, V]):
    """A set of states: every combination of one row from each part, all at the same time.

    The set should contain states with ages at a limit and just before it.
    """

    configuration: Configuration[S, C, L, V]
    limits: L
    """Limits in ticks. If a part has a column of a limit's name, its values are used instead."""
    parts: Sequence[Sequence[Mapping[str, int]]]
    """Parts of a state. Each row of a part assigns values to the part's fields.

    Each state field except the time belongs to exactly one part.
    """
    choices: Mapping[str, int] = field(default_factory=dict)
    """Values of the numeric choices of actions, which replace those of the configuration."""
    now: int = 0
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Several values for a numeric choice; an action with that choice is tried with each value."""
    besides: Sequence[Sequence[Sequence[Mapping[str, int]]]] = ()
    """Further lists of parts; the combinations of each list are additional states."""
    tries: Callable[[Happens], bool] = lambda move: True
    """``tries(move)``: whether to try a move of the configuration."""

    @cached_property
    def pieces(self) -> tuple[tuple[Happens, C], ...]:
        """Every move of the configuration, with every combination of its choices.

        A piece of work is one move with its choices, in all states.
        """
        found = []
        for move in filter(self.tries, self.configuration.moves):
            open_ = self.configuration.machine.actions[move.action].choices
            tried = {name: values for name, values in self.numbers.items() if name in open_}
            for values in product(*tried.values()):
                found.append((move, self.chosen(move).but(**dict(zip(tried, values, strict=True)))))
        return tuple(found)

    @property
    def size(self) -> int:
        """Number of states, by a closed form. Some states are unreachable."""
        return sum(prod(map(len, parts)) for parts in (self.parts, *self.besides))

    @cached_property
    def states(self) -> Columns:
        """All states as arrays: column name -> values, one for each state."""
        every = (rows for parts in (self.parts, *self.besides) for rows in product(*parts))
        rows = [{name: value for row in rows for name, value in row.items()} for rows in every]
        columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
        return columns | {name: np.full(len(rows), self.now, dtype=np.int64) for name in self.configuration.clock}

    @cached_property
    def records(self) -> list[S]:
        """All states as records, in the same order as ``states``."""
        rows = zip(*(column.tolist() for column in self.states.values()), strict=True)
        state = self.configuration.machine.state
        return [state.numbers(dict(zip(self.states, row, strict=True))) for row in rows]

    def chosen(self, move: Happens) -> C:
        """Return the choices for a move."""
        return self.configuration.chosen(move, self.limits).but(**self.choices)

    def places(self, piece: int, every: int) -> np.ndarray:
        """Return indexes of one in ``every`` states (rounded up), different ones for each piece.

        Together, ``every`` consecutive pieces cover all states. The indexes are spread by steps of a golden section, so
        that each row of each part occurs.
        """
        if every == 1:
            return np.arange(self.size)
        step = next(one for one in count(int(self.size * GOLDEN) + 1) if gcd(one, self.size) == 1)
        many = -(-self.size // every)
        numbers: np.ndarray = (np.arange(many) + piece * many) * step % self.size
        return numbers

    def some(self, places: np.ndarray) -> Columns:
        """Return the states with these indexes."""
        return {name: column[places] for name, column in self.states.items()}

    def by_terms(self, encoding: Any, piece: int, some: Columns | None = None) -> list[After]:
        """Compute successors of states with the formulas, for one piece (a move with choices).

        ``some``: the states; all states of the space if missing.
        """
        of, (move, choices) = self.configuration, self.pieces[piece]
        states = self.states if some is None else some
        given = {**vars(self.limits), **states, **vars(choices)}
        kernel = compiled(of, getattr(encoding, move.action))
        return said_by_terms(kernel, of.names, given, len(next(iter(states.values()))))


@dataclass(frozen=True)
class Steps:
    """The comparison of code and formulas for one client; each kind of model has a subclass.

    A piece of work is one action with its choices, tried in all states.
    """

    client: str
    """The client's name. The client object is not sent to the executors."""
    every: int = 1
    """One in ``every`` states is tried (``Space.places``); in a small space, every state."""
    kind: ClassVar[str]
    """The kind of the check (``Check.kind``)."""
    title: ClassVar[str]
    """Title for the answer, which follows the client's name."""
    space: ClassVar[Space[Any, Any, Any, Any]]
    known: ClassVar[Callable[[str], Any]]
    """``known(name)``: return the client of that name."""

    @property
    def one_in(self) -> int:
        """The ``every`` that is used: 1 for a small space."""
        return self.every if self.space.size >= FEW else 1

    def check(self) -> Check:
        """Return the check, with its number of pieces and its number of cases (states times pieces)."""
        pieces, tried = len(self.space.pieces), -(-self.space.size // self.one_in)
        bounds = {ONE_IN: self.one_in} if self.one_in > 1 else {}
        return Check(self.kind, f"{self.client} {self.title}", pieces, pieces * tried, self, self.client, bounds=bounds)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        space, of, client = self.space, self.space.configuration, type(self).known(self.client)
        (move, choices), after = space.pieces[piece], attrgetter(*of.own)
        places = space.places(piece, self.one_in)
        states, records = space.some(places), [space.records[place] for place in places.tolist()]
        told = {name: states[name].tolist() for name in vars(space.limits) if name in states}

        def does(number: int) -> After:
            limits = space.limits
            if told:
                limits = limits.but(**{name: values[number] for name, values in told.items()})
            done = act(of, client, move.action, records[number], choices, limits)
            return None if done is None else tuple(map(int, after(done)))

        wanted, codes = space.by_terms(client.encoding, piece, states), places + piece * space.size
        return Compared(f"{move.action} {vars(choices)}", states, of.own).totals(codes, wanted, does, keep)


def by_name(clients: Sequence[Client]) -> Callable[[str], Client]:
    """Return a function that finds the client with a given name (``Steps.known``)."""
    return lambda name: next(client for client in clients if client.name == name)
