"""A machine with what is asked of it: its unknowns, its moves, examples of its limits, and what must not be so."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Generic, TypeVar

import z3

from rebalance_proofs.model.machine.machine import ENVIRONMENT, Machine
from rebalance_proofs.model.machine.record import C, L, R, S, V, flags, names
from rebalance_proofs.model.machine.values import Bool, Int, term
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens, Schedule, times_of
from rebalance_proofs.proofs.records import Unknowns, made_once, truths

__all__ = ["OBSERVES", "Configuration", "Predicate", "read"]

OBSERVES = "observes"
"""Somebody looks: no action of the machine, and the last one of a run."""
Predicate = Callable[[S, L], Bool]
Given = tuple[S, C, L]
One = TypeVar("One", int, z3.ArithRef)


@dataclass(frozen=True, eq=False)
class Configuration(Generic[S, C, L, V]):
    """Of one kind of claims. An unknown is an integer with the name of a field, 0 or 1 for a truth value."""

    machine: Machine[S, C, L, V]
    bad: Callable[[Claim], Predicate[S, L]]
    """``bad(claim)``: what must not be so."""
    examples: L
    """In ms, of counterexamples."""
    ticks: L
    """In ticks, of explorations."""
    end: int = 0
    """In ticks: nobody looks longer."""
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
    end."""
    follows: Callable[[C], C] = lambda choices: choices
    """``follows(choices)``: with those that follow from the others, in explorations and counterexamples."""
    examples_of: Callable[[Claim], Mapping[str, int]] = lambda claim: {}
    """``examples_of(claim)``: those of the examples that are others for that claim."""
    ticks_of: Callable[[Claim], Mapping[str, int]] = lambda claim: {}
    """The same in ticks."""
    around: tuple[int, int] = (1, 1)
    """So many consumers and queues are in a run."""
    end_of: Callable[[Claim], int] = lambda claim: 0
    """The end where it is another for that claim; else 0."""
    joined: bool = False
    """An induction's actions are one obligation, with the number of the one that happens an unknown: where there are
    many actions, that is proved sooner."""

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

    @cached_property
    def opens(self) -> Mapping[str, Sequence[str]]:
        """The truth values among the choices that each action leaves open; and looking, where there is a clock."""
        known, actions = flags(self.machine.choices), self.machine.actions
        opens = {name: tuple(filter(known.__contains__, action.choices)) for name, action in actions.items()}
        return opens | ({OBSERVES: ()} if self.clock and not self.ends else {})

    @cached_property
    def moves(self) -> tuple[Happens, ...]:
        """Every action with every choice."""
        every = ((name, product((False, True), repeat=len(self.opens[name]))) for name in self.machine.actions)
        return tuple(self.happens(name, *values) for name, choices in every for values in choices)

    def happens(self, action: str, *choices: bool) -> Happens:
        """An action with its choices. Raises ``ValueError`` where it leaves more or less open."""
        by = ENVIRONMENT if action == OBSERVES else self.machine.actions[action].by
        return Happens(by, action, tuple(zip(self.opens[action], choices, strict=True)))

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
        """The limits and the times of a run, by values of what is unknown of it."""
        if self.clock:
            return self.examples.but(**self.examples_of(claim)), values
        limits = self.machine.limits.of(dict(zip(names(self.machine.limits), values, strict=True)))
        return limits, [0] * len(schedule)


def read(record: type[R], v: SimpleNamespace) -> R:
    """The record that unknowns make up."""
    known = flags(record)
    return record(**{name: getattr(v, name) == 1 if name in known else getattr(v, name) for name in names(record)})
