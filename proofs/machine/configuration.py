"""A machine with what is asked of it: its unknowns, its moves, examples of its limits, and what must not be so."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

import z3

from rebalance_proofs.model.machine.copies import NOBODY, OTHER
from rebalance_proofs.model.machine.machine import ENVIRONMENT, MACHINE, Machine
from rebalance_proofs.model.machine.record import C, L, R, S, V, flags, names, naming
from rebalance_proofs.model.machine.values import And, Bool, Int, Value, term
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import NAMES, Happens, Schedule, times_of
from rebalance_proofs.proofs.records import Unknowns, made_once, truths

__all__ = ["OBSERVES", "Configuration", "Predicate", "part", "read"]

OBSERVES = "observes"
"""Somebody looks: no action of the machine, and the last one of a run."""
Predicate = Callable[[S, L], Bool]
Given = tuple[S, C, L]
One = TypeVar("One", int, z3.ArithRef)


@dataclass(frozen=True, eq=False)
class Configuration(Generic[S, C, L, V]):
    """Of one kind of claims. An unknown is an integer with the name of a field, 0 or 1 for a truth value."""

    machine: Machine[S, C, L, V]
    bad: Callable[[Claim], Predicate[S, L] | None]
    """``bad(claim)``: what must not be so; None where no run is looked for."""
    examples: L
    """In ms, of counterexamples."""
    ticks: L
    """In ticks, of explorations."""
    end: int = 0
    """In ticks: nobody looks longer; 0 where nobody has to look, as time alone makes nothing so that must not be."""
    most: int = 31
    """No number of an explored state is greater."""
    limit: int = 200
    """Actions; an exploration that takes more has failed."""
    gives_up: bool = False
    """It has not failed then: no longer run is looked for."""
    numbers: Callable[[L], Mapping[str, Int]] = lambda limits: {}
    """``numbers(limits)``: the choices that are no truth values, in explorations and counterexamples."""
    aside: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``aside(claim)``: actions that make nothing possible of what must not be so; an exploration leaves them out."""
    ends: Sequence[str] = ()
    """Actions with which runs in time end, those first that people look at; where there are none, somebody looks in the
    end, if there is one."""
    follows: Callable[[C], C] = lambda choices: choices
    """``follows(choices)``: with those that follow from the others, in explorations and counterexamples."""
    around: tuple[int, int] | None = None
    """So many consumers and queues are in a run, where it is not the copies and one."""
    end_of: Callable[[Claim], int] = lambda claim: 0
    """The end where it is another for that claim; else 0."""
    joined: bool = False
    """An induction's actions are one obligation, with the number of the one that happens an unknown: where there are
    many actions, that is proved sooner."""
    tried: Callable[[Claim, Sequence[Happens]], Sequence[Happens]] = lambda claim, moves: moves
    """``tried(claim, moves)``: those that an exploration tries, in the order in which it does: of runs that are as
    short the first one is told."""
    fits: Callable[[Claim], tuple[L, L]] | None = None
    """``fits(claim)``: limits in the place of ``examples`` and ``ticks``, where they differ by claim."""
    apart: bool = False
    """The actions of a counterexample are a millisecond apart at least, so that nothing rests on what is at once."""
    copies: int = 1
    """So many are explored, and run: each with what is its own, all with what they share."""
    every: Callable[[Claim], bool] = lambda claim: False
    """``every(claim)``: what must not be so is so where every copy's state is, and not where one's is."""
    unseen: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``unseen(claim)``: fields that make no difference to what must not be so; explorations have them as at first."""
    beside: Callable[[Claim], Mapping[str, Predicate[S, L]]] | None = None
    """``beside(claim)``: what must not be so in the same world, by guarantee. Of the client's own terms a search of a
    machine without a clock that gives up looks for all of it at once."""
    best: Callable[[Claim], Callable[[Schedule], Any] | None] = lambda claim: None
    """``best(claim)``: of schedules that such a search finds, the one for which that is greatest is told."""
    hopeless: Callable[[Claim], Predicate[S, L] | None] = lambda claim: None
    """``hopeless(claim)``: of a copy that has acted, what never comes to what must not be so; explorations leave it."""

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """The time, of a machine that has one."""
        return tuple(name for name in names(self.machine.state) if name == "now")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The other fields of a state."""
        return tuple(name for name in names(self.machine.state) if name not in self.clock)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All unknowns."""
        return (*self.clock, *self.own, *names(self.machine.limits), *names(self.machine.choices))

    @cached_property
    def given(self) -> Callable[[SimpleNamespace], Given[S, C, L]]:
        """``given(v)``: the state, the choices and the limits that the unknowns ``v`` make up."""

        def made(v: SimpleNamespace) -> Given[S, C, L]:
            return read(self.machine.state, v), read(self.machine.choices, v), read(self.machine.limits, v)

        return made_once(made)

    def last(self, claim: Claim) -> int:
        """The tick after which nobody looks for a run that breaks the claim."""
        return self.end_of(claim) or self.end

    def unknowns(self) -> Unknowns:
        """New ones."""
        return Unknowns(**{name: z3.Int(name) for name in self.names})

    @cached_property
    def symbols(self) -> Given[S, C, L]:
        """A state, choices and limits, the same each time: making them anew takes longer than a kernel does."""
        return self.given(self.unknowns())

    def truths(self, v: SimpleNamespace) -> dict[str, z3.BoolRef]:
        """What is a truth value is 0 or 1."""
        known = flags(self.machine.state) | flags(self.machine.choices)
        return truths(v, [name for name in self.names if name in known])

    def form(self, state: S, limits: L) -> dict[str, z3.BoolRef]:
        """How a state is written, where the machine says it."""
        well_formed = self.machine.well_formed
        return {"the state is well-formed": term(well_formed(state, limits))} if well_formed else {}

    def named(self, state: S) -> dict[str, z3.BoolRef]:
        """Whoever is named is the copy itself, another, or nobody."""
        some = {name: getattr(state, name) for name in naming(self.machine.state)}
        return {f"{name} is somebody, or nobody": term(And(one >= NOBODY, one <= OTHER)) for name, one in some.items()}

    @property
    def looks(self) -> bool:
        """Whether somebody looks in the end."""
        return bool(self.end) and not self.ends

    @cached_property
    def opens(self) -> Mapping[str, Sequence[str]]:
        """The truth values among the choices that each action leaves open; and looking, where there is a clock."""
        known, actions = flags(self.machine.choices), self.machine.actions
        opens = {name: tuple(filter(known.__contains__, action.choices)) for name, action in actions.items()}
        return opens | ({OBSERVES: ()} if self.looks else {})

    @cached_property
    def moves(self) -> tuple[Happens, ...]:
        """Every action with every choice."""
        every = ((name, product((False, True), repeat=len(self.opens[name]))) for name in self.machine.actions)
        return tuple(self.happens(name, *values) for name, choices in every for values in choices)

    def happens(self, action: str, *choices: bool, who: int | None = None) -> Happens:
        """An action with its choices. Raises ``ValueError`` where it leaves more or less open."""
        by = ENVIRONMENT if action == OBSERVES else self.machine.actions[action].by
        return Happens(by if who is None else who, action, tuple(zip(self.opens[action], choices, strict=True)))

    def whose(self, move: Happens) -> list[Happens]:
        """The move as that of each copy, where it is a copy's, and not everybody's."""
        if self.copies == 1:
            return [move]
        every = self.copies if self.machine.actions[move.action].by == MACHINE else 1
        return [replace(move, who=who) for who in range(every)]

    def acting(self, happens: Happens) -> int:
        """The place of the copy whose state an action is asked of."""
        return happens.who if self.copies > 1 else 0

    def of_claim(self, claim: Claim) -> tuple[L, L]:
        """The limits of a claim's counterexamples, in ms, and of its explorations, in ticks."""
        return self.fits(claim) if self.fits else (self.examples, self.ticks)

    def words(self, happens: Happens) -> str:
        """``locks``; of several copies ``X locks``."""
        mine = self.copies > 1 and happens.action in self.machine.actions
        whose = mine and self.machine.actions[happens.action].by == MACHINE
        return f"{NAMES[happens.who]} {happens.action}" if whose else happens.action

    def chosen(self, happens: Happens, limits: L) -> C:
        """The choices of an action; what it does not leave open is false. All are terms where the limits are."""
        return self.completed(dict(happens.said), limits)

    def completed(self, said: Mapping[str, bool], limits: L) -> C:
        """The choices of which these are said."""
        return self.follows(self.machine.choices.blank(**self.numbers(limits)).but(**said))

    def unknown(self, schedule: Schedule) -> list[z3.ArithRef]:
        """What is unknown of a run: the times of its actions; without a clock, the limits."""
        return times_of(schedule) if self.clock else [z3.Int(name) for name in names(self.machine.limits)]

    def known(self, claim: Claim, schedule: Schedule, values: Sequence[One]) -> tuple[L, Sequence[One | int]]:
        """The limits and the times of a claim's run, by values of what is unknown of it."""
        if self.clock:
            return self.of_claim(claim)[0], values
        limits = self.machine.limits.of(dict(zip(names(self.machine.limits), values, strict=True)))
        return limits, [0] * len(schedule)


def read(record: type[R], v: SimpleNamespace) -> R:
    """The record that unknowns make up."""
    return record(**part(record, v, names(record)))


def part(record: type[R], v: SimpleNamespace, some: Iterable[str]) -> dict[str, Value]:
    """Some of its fields."""
    known = flags(record)
    return {name: getattr(v, name) == 1 if name in known else getattr(v, name) for name in some}
