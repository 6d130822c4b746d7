"""Comparison of a machine's code with its compiled terms in every state of a space, action by action."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, product
from math import gcd, prod
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.subject import Subject
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.compiled import compiled
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.machine.run import act
from rebalance_proofs.spark_enum.actions import After, Columns, Compared, compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.results import ONE_IN
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Space", "Steps", "by_name", "machine_kind"]

Client = TypeVar("Client", bound=Subject)
FEW = 500
"""Number of states up to which all are tried: fewer could leave out rows of a part."""
GOLDEN = 0.6180339887498949
"""The golden section; the fractional parts of its multiples are spread most evenly."""


@dataclass(frozen=True, eq=False)
class Space(Generic[S, C, L, V]):
    """A space of states: every combination of the parts' rows, all at one time.

    It should contain states with ages at a limit and just before it.
    """

    configuration: Configuration[S, C, L, V]
    limits: L
    """Limits in ticks. If a part has a column of a limit's name, its values are used."""
    parts: Sequence[Sequence[Mapping[str, int]]]
    """Parts, each of which assigns values to some fields, one row per combination.

    Each field except the time is in exactly one part.
    """
    choices: Mapping[str, int] = field(default_factory=dict)
    """Values of the numeric choices, instead of the configuration's."""
    now: int = 0
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Several values for a numeric choice; an action that uses it is tried with each."""
    besides: Sequence[Sequence[Sequence[Mapping[str, int]]]] = ()
    """Further groups of parts, whose combinations are states, too."""
    tries: Callable[[Happens], bool] = lambda move: True
    """``tries(move)``: whether to try a move of the configuration."""

    @cached_property
    def pieces(self) -> tuple[tuple[Happens, C], ...]:
        """Return every move with all its choices."""
        found = []
        for move in filter(self.tries, self.configuration.moves):
            open_ = self.configuration.machine.actions[move.action].choices
            tried = {name: values for name, values in self.numbers.items() if name in open_}
            for values in product(*tried.values()):
                found.append((move, self.chosen(move).but(**dict(zip(tried, values, strict=True)))))
        return tuple(found)

    @property
    def size(self) -> int:
        """Number of states, by a closed form. Some are unreachable."""
        return sum(prod(map(len, parts)) for parts in (self.parts, *self.besides))

    @cached_property
    def states(self) -> Columns:
        """Return all states as columns, one row per state."""
        every = (rows for parts in (self.parts, *self.besides) for rows in product(*parts))
        rows = [{name: value for row in rows for name, value in row.items()} for rows in every]
        columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
        return columns | {name: np.full(len(rows), self.now, dtype=np.int64) for name in self.configuration.clock}

    @cached_property
    def records(self) -> list[S]:
        """Return all states as records, in the same order."""
        rows = zip(*(column.tolist() for column in self.states.values()), strict=True)
        state = self.configuration.machine.state
        return [state.numbers(dict(zip(self.states, row, strict=True))) for row in rows]

    def chosen(self, move: Happens) -> C:
        """Return all choices of a move."""
        return self.configuration.chosen(move, self.limits).but(**self.choices)

    def places(self, piece: int, every: int) -> np.ndarray:
        """Return one in ``every`` states, rounded up, different ones for each piece.

        ``every`` pieces in a row cover all states. Steps of a golden section spread them, so that each row of each part
        occurs.
        """
        if every == 1:
            return np.arange(self.size)
        step = next(one for one in count(int(self.size * GOLDEN) + 1) if gcd(one, self.size) == 1)
        many = -(-self.size // every)
        numbers: np.ndarray = (np.arange(many) + piece * many) * step % self.size
        return numbers

    def some(self, places: np.ndarray) -> Columns:
        """Return the states in these places."""
        return {name: column[places] for name, column in self.states.items()}

    def by_terms(self, encoding: Any, piece: int, some: Columns | None = None) -> list[After]:
        """Return the successors by the terms, for one piece.

        ``some``: the states; all if missing.
        """
        of, (move, choices) = self.configuration, self.pieces[piece]
        states = self.states if some is None else some
        given = {**vars(self.limits), **states, **vars(choices)}
        kernel = compiled(of, getattr(encoding, move.action))
        return said_by_terms(kernel, of.names, given, len(next(iter(states.values()))))


@dataclass(frozen=True)
class Steps:
    """The comparison for one client; a piece is an action with its choices.

    Each kind derives its own class.
    """

    client: str
    """The client's name; the client object is not sent to the executors."""
    every: int = 1
    """One in ``every`` states is tried (``Space.places``); of a small space, all states are."""
    kind: ClassVar[str]
    """Name of the check (``Check.kind``)."""
    title: ClassVar[str]
    """Printed title, after the client's name."""
    space: ClassVar[Space[Any, Any, Any, Any]]
    known: ClassVar[Callable[[str], Any]]
    """``known(name)``: the client of that name."""

    @property
    def one_in(self) -> int:
        """The actual ``every``: 1 for a small space."""
        return self.every if self.space.size >= FEW else 1

    def check(self) -> Check:
        """Return the check, with its numbers of pieces and of cases (states times pieces)."""
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
    """Return the function from a name to the client of that name (``Steps.known``)."""
    return lambda name: next(client for client in clients if client.name == name)


def machine_kind(steps: type[Steps], comes: str, never: str) -> Kind:
    """Return the kind's record for the enumerator.

    ``comes`` and ``never``: sentences about a run that breaks a claim, and about no such run. ``{end}`` in ``never`` is
    the last explored tick.
    """
    of = steps.space.configuration
    runs = timed_runs(of)
    against = explored_against(
        steps.kind,
        lambda claim: runs.explored(claim.subjects[0].encoding, claim),
        comes,
        lambda claim: never.format(end=of.last(claim)),
    )
    return Kind(lambda claims, bounds: 1, compared(steps), against, mistaken_in(runs))
