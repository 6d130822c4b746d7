"""A machine's code and its compiled terms, compared in every state of a space, action by action."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from operator import attrgetter
from typing import Any, ClassVar, Generic

import numpy as np

from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.exploration import compiled
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.machine.run import act
from rebalance_proofs.spark_enum.actions import After, Columns, Compared, compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Space", "Steps", "machine_kind"]


@dataclass(frozen=True, eq=False)
class Space(Generic[S, C, L, V]):
    """Every combination of the parts' rows, at time 0. What is at a limit, and a tick before, should be told apart."""

    configuration: Configuration[S, C, L, V]
    limits: L
    """In ticks; one that a part has, too, is that part's."""
    parts: Sequence[Sequence[Mapping[str, int]]]
    """A part has some fields, and a row of it a value for each; each field but the time is in one part."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """Of those that are numbers; else the configuration's."""
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The same, where an action that leaves one open is tried with each of several."""
    tries: Callable[[Happens], bool] = lambda move: True
    """Of the configuration's moves, whether one is tried."""
    besides: Sequence[Sequence[Sequence[Mapping[str, int]]]] = ()
    """Other parts, whose combinations are states, too."""

    @property
    def size(self) -> int:
        """So many states, by a closed form; some of them no machine ever comes to."""
        return sum(prod(map(len, parts)) for parts in (self.parts, *self.besides))

    @cached_property
    def states(self) -> Columns:
        """All of them, a row a state."""
        every = (rows for parts in (self.parts, *self.besides) for rows in product(*parts))
        rows = [{name: value for row in rows for name, value in row.items()} for rows in every]
        columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
        return columns | {name: np.zeros(len(rows), dtype=np.int64) for name in self.configuration.clock}

    @cached_property
    def pieces(self) -> tuple[tuple[Happens, C], ...]:
        """All that can happen, with the choices."""
        found = []
        for move in filter(self.tries, self.configuration.moves):
            open_ = self.configuration.machine.actions[move.action].choices
            tried = {name: values for name, values in self.numbers.items() if name in open_}
            for values in product(*tried.values()):
                found.append((move, self.chosen(move).but(**dict(zip(tried, values, strict=True)))))
        return tuple(found)

    @cached_property
    def fits(self) -> list[L]:
        """The limits of each state."""
        told = {name: self.states[name].tolist() for name in vars(self.limits) if name in self.states}
        rows = zip(*told.values(), strict=True) if told else ()
        return [self.limits.but(**dict(zip(told, row, strict=True))) for row in rows] or [self.limits] * self.size

    @cached_property
    def records(self) -> list[S]:
        """The same as states of the machine."""
        rows = zip(*(column.tolist() for column in self.states.values()), strict=True)
        state = self.configuration.machine.state
        return [state.numbers(dict(zip(self.states, row, strict=True))) for row in rows]

    def chosen(self, move: Happens) -> C:
        """The choices of a move."""
        return self.configuration.chosen(move, self.limits).but(**self.choices)

    def by_terms(self, encoding: Any, piece: int) -> list[After]:
        """What the terms make of each state, by one piece."""
        of, (move, choices) = self.configuration, self.pieces[piece]
        given = {**vars(self.limits), **self.states, **vars(choices)}
        return said_by_terms(compiled(of, getattr(encoding, move.action)), of.names, given, self.size)


@dataclass(frozen=True)
class Steps:
    """Those of one client; a piece is an action with a choice. A kind has a class of its own, which says of what."""

    client: str
    """Its name: clients themselves are not sent to the executors."""
    kind: ClassVar[str]
    """Of what is compared (``Check.kind``)."""
    title: ClassVar[str]
    """For people, to follow the client's name."""
    space: ClassVar[Space[Any, Any, Any, Any]]
    known: ClassVar[Callable[[str], Any]]
    """``known(name)``: the client of that name."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        pieces = len(self.space.pieces)
        return Check(self.kind, f"{self.client} {self.title}", pieces, pieces * self.space.size, self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        space, of, client = self.space, self.space.configuration, type(self).known(self.client)
        move, choices = space.pieces[piece]
        states, after = zip(space.records, space.fits, strict=True), attrgetter(*of.own)

        def does(row: dict[str, int]) -> After:
            # It is asked once of each state, in order.
            state, limits = next(states)
            done = act(of, client, move.action, state, choices, limits)
            return None if done is None else tuple(map(int, after(done)))

        wanted = space.by_terms(client.encoding, piece)
        return Compared(f"{move.action} {vars(choices)}", space.states, of.own).totals(piece, wanted, does, keep)


def machine_kind(steps: type[Steps], comes: str, never: str) -> Kind:
    """The enumerator's record. ``comes`` and ``never``: what is said of a run that breaks a claim, and of none."""
    runs = timed_runs(steps.space.configuration)
    against = explored_against(
        steps.kind, lambda claim: runs.explored(claim.subjects[0].encoding, claim), comes, lambda claim: never
    )
    return Kind(lambda claims, bounds: 1, compared(steps), against, mistaken_in(runs))
