"""Configuration of a machine's proofs and explorations.

It has the unknowns, moves, example limits and target predicates.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from rebalance_proofs.model.machine.copies import NOBODY, OTHER
from rebalance_proofs.model.machine.machine import ENVIRONMENT, MACHINE, Machine
from rebalance_proofs.model.machine.record import C, L, R, Record, S, V, flags, names, naming
from rebalance_proofs.model.machine.values import And, Bool, Int, Value, term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import NAMES, Happens, Schedule, times_of
from rebalance_proofs.proofs.machine.bound import Bound
from rebalance_proofs.proofs.records import Unknowns, made_once, truths

__all__ = ["OBSERVES", "Configuration", "Predicate", "part", "ranged", "read"]

OBSERVES = "observes"
"""Pseudo-action of an observer; it ends a run and changes nothing."""
Predicate = Callable[[S, L], Bool]
Given = tuple[S, C, L]
One = TypeVar("One", int, smt.IntTerm)


@dataclass(frozen=True, eq=False)
class Configuration(Generic[S, C, L, V]):
    """A machine with the settings of one kind of claims.

    Unknowns are integers with the names of fields; an unknown for a flag is 0 or 1.
    """

    machine: Machine[S, C, L, V]
    bad: Callable[[Claim], Predicate[S, L] | None]
    """``bad(claim)``: the bad states that violate the claim; None if no run is searched for."""
    examples: L
    """Limits of counterexamples, in ms."""
    ticks: L
    """Limits of explorations, in ticks."""
    end: int = 0
    """Last explored tick; 0 if the passing of time alone makes no state bad.

    In the second case, runs need no observer.
    """
    most: int = 31
    """Greatest number in an explored state."""
    limit: int = 200
    """Greatest number of actions in an explored run; an exploration that needs more fails."""
    gives_up: bool = False
    """Whether a longer exploration ends without a counterexample instead of failing."""
    numbers: Callable[[L], Mapping[str, Int]] = lambda limits: {}
    """``numbers(limits)``: values of the numeric choices in explorations and counterexamples."""
    aside: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``aside(claim)``: actions that explorations omit because they cannot lead to a bad state."""
    ends: Sequence[str] = ()
    """Actions with which a timed run should end, in order of preference.

    If there are none and there is an ``end``, runs end with an observer (``OBSERVES``).
    """
    follows: Callable[[C], C] = lambda choices: choices
    """``follows(choices)``: the choices of explorations and counterexamples, completed.

    The added choices are determined by the others.
    """
    around: tuple[int, int] | None = None
    """Numbers of consumers and queues in a run, if they are not ``copies`` and 1."""
    end_of: Callable[[Claim], int] = lambda claim: 0
    """``end_of(claim)``: the claim's own ``end``; 0 if it has none."""
    joined: bool = False
    """Whether an induction joins all actions in one obligation.

    The acting action's number is an unknown. With many actions, this is proved faster.
    """
    tried: Callable[[Claim, Sequence[Happens]], Sequence[Happens]] = lambda claim, moves: moves
    """``tried(claim, moves)``: the moves to explore, in order.

    Of several runs of the same length, the first one is reported.
    """
    fits: Callable[[Claim], tuple[L, L]] | None = None
    """``fits(claim)``: limits instead of ``examples`` and ``ticks``, if claims have different ones."""
    apart: bool = False
    """Whether a counterexample's actions are at least 1 ms apart.

    It then does not depend on simultaneous actions.
    """
    copies: int = 1
    """Number of explored copies; each has its own fields, and all share the shared fields."""
    bounds: Callable[[Claim], Sequence[Bound[S, L]]] = lambda claim: ()
    """``bounds(claim)``: the time bounds of the claim's guarantee."""
    every: Callable[[Claim], bool] = lambda claim: False
    """``every(claim)``: whether a run is bad only if every copy's state is bad.

    Otherwise one bad copy is enough.
    """
    unseen: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``unseen(claim)``: fields that cannot decide whether a state is bad.

    Explorations leave them at their first values.
    """
    beside: Callable[[Claim], Mapping[str, Predicate[S, L]]] | None = None
    """``beside(claim)``: bad states for each guarantee claimed in the same world, by name.

    With it, one search looks for all of them in one pass. It applies to a search that gives up, on the client's own
    encoding of a machine without a clock.
    """
    best: Callable[[Claim], Callable[[Schedule], Any] | None] = lambda claim: None
    """``best(claim)``: a rating of schedules.

    A search with ``beside`` reports the highest-rated of the shortest schedules.
    """
    hopeless: Callable[[Claim], Predicate[S, L] | None] = lambda claim: None
    """``hopeless(claim)``: states of the acting copy from which no bad state can be reached.

    Explorations drop them.
    """

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """Name of the time field; empty if the machine has no clock."""
        return tuple(name for name in names(self.machine.state) if name == "now")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Names of the state's fields except the time."""
        return tuple(name for name in names(self.machine.state) if name not in self.clock)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all unknowns: fields of the state, the limits and the choices.

        Raises ``ValueError`` if two of these records share a field name.
        """
        found = (*self.clock, *self.own, *names(self.machine.limits), *names(self.machine.choices))
        if both := sorted({name for name in found if found.count(name) > 1}):
            raise ValueError(f"two records of a machine have a field of the same name: {', '.join(both)}")
        return found

    @cached_property
    def given(self) -> Callable[[SimpleNamespace], Given[S, C, L]]:
        """``given(v)``: the state, choices and limits made of the unknowns ``v``."""

        def made(v: SimpleNamespace) -> Given[S, C, L]:
            return read(self.machine.state, v), read(self.machine.choices, v), read(self.machine.limits, v)

        return made_once(made)

    def last(self, claim: Claim) -> int:
        """Return the last explored tick of a claim."""
        return self.end_of(claim) or self.end

    def unknowns(self) -> Unknowns:
        """Return new unknowns, one for each name."""
        return Unknowns(**{name: smt.Int(name) for name in self.names})

    @cached_property
    def symbols(self) -> Given[S, C, L]:
        """State, choices and limits made of unknowns.

        They are cached, because making them takes longer than compiling a kernel.
        """
        return self.given(self.unknowns())

    def truths(self, v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
        """Return the assumptions that unknowns of flags are 0 or 1 and chosen numbers are in range."""
        known = flags(self.machine.state) | flags(self.machine.choices)
        chosen = ranged("each chosen number is in its range", self.given(v)[1])
        return truths(v, [name for name in self.names if name in known]) | chosen

    def form(self, state: S, limits: L) -> dict[str, smt.BoolTerm]:
        """Return the assumptions that the state's numbers are in range and the state is well-formed."""
        well_formed = self.machine.well_formed
        found = {"the state is well-formed": term(well_formed(state, limits))} if well_formed else {}
        return ranged("each number of the state is in its range", state) | found

    def named(self, state: S) -> dict[str, smt.BoolTerm]:
        """Return the assumptions that fields that name a copy name this copy, another copy or none."""
        some = {name: getattr(state, name) for name in naming(self.machine.state)}
        return {f"{name} is a consumer, or none": term(And(one >= NOBODY, one <= OTHER)) for name, one in some.items()}

    @property
    def looks(self) -> bool:
        """Whether runs end with an observer (``OBSERVES``)."""
        return bool(self.end) and not self.ends

    @cached_property
    def opens(self) -> Mapping[str, Sequence[str]]:
        """Each action's nondeterministic choices that are flags; also those of ``OBSERVES``, if runs end with it."""
        known, actions = flags(self.machine.choices), self.machine.actions
        opens = {name: tuple(filter(known.__contains__, action.choices)) for name, action in actions.items()}
        return opens | ({OBSERVES: ()} if self.looks else {})

    @cached_property
    def moves(self) -> tuple[Happens, ...]:
        """Every action with every combination of its flags."""
        every = ((name, product((False, True), repeat=len(self.opens[name]))) for name in self.machine.actions)
        return tuple(self.happens(name, *values) for name, choices in every for values in choices)

    def happens(self, action: str, *choices: bool, who: int | None = None) -> Happens:
        """An action with values of its choices. Raises ``ValueError`` for a wrong number of values."""
        by = ENVIRONMENT if action == OBSERVES else self.machine.actions[action].by
        return Happens(by if who is None else who, action, tuple(zip(self.opens[action], choices, strict=True)))

    def whose(self, move: Happens) -> list[Happens]:
        """Return the move once for each copy.

        A move of the environment, or of a machine with one copy, is returned once.
        """
        if self.copies == 1:
            return [move]
        every = self.copies if self.machine.actions[move.action].by == MACHINE else 1
        return [replace(move, who=who) for who in range(every)]

    def acting(self, happens: Happens) -> int:
        """Return the index of the copy whose state evaluates an action."""
        return happens.who if self.copies > 1 else 0

    def of_claim(self, claim: Claim) -> tuple[L, L]:
        """Return a claim's limits for counterexamples, in ms, and for explorations, in ticks."""
        return self.fits(claim) if self.fits else (self.examples, self.ticks)

    def words(self, happens: Happens) -> str:
        """Return the action's name, with several copies also the copy's: ``locks`` or ``X locks``."""
        mine = self.copies > 1 and happens.action in self.machine.actions
        whose = mine and self.machine.actions[happens.action].by == MACHINE
        return f"{NAMES[happens.who]} {happens.action}" if whose else happens.action

    def chosen(self, happens: Happens, limits: L) -> C:
        """Return all choices of an action; unused flags are false.

        The values are terms if the limits are.
        """
        return self.completed(dict(happens.said), limits)

    def completed(self, said: Mapping[str, bool], limits: L) -> C:
        """Return all choices, given the chosen flags."""
        return self.follows(self.machine.choices.blank(**self.numbers(limits)).but(**said))

    def unknown(self, schedule: Schedule) -> list[smt.IntTerm]:
        """Return the unknowns of a run: the times of its actions, or the limits if there is no clock."""
        return times_of(schedule) if self.clock else [smt.Int(name) for name in names(self.machine.limits)]

    def known(self, claim: Claim, schedule: Schedule, values: Sequence[One]) -> tuple[L, Sequence[One | int]]:
        """Return limits and times of a claim's run, given the values of the run's unknowns."""
        if self.clock:
            return self.of_claim(claim)[0], values
        limits = self.machine.limits.of(dict(zip(names(self.machine.limits), values, strict=True)))
        return limits, [0] * len(schedule)


def read(record: type[R], v: SimpleNamespace) -> R:
    """Return the record made of unknowns."""
    return record(**part(record, v, names(record)))


def ranged(words: str, record: Record, some: Collection[str] | None = None) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the record's numbers, or those of some fields, are in range.

    Empty if it has no numbers.
    """
    so = record.in_range(some)
    return {} if so is True else {words: term(so)}


def part(
    record: type[R], v: SimpleNamespace, some: Iterable[str], named: Callable[[str], str] = str
) -> dict[str, Value]:
    """Return some fields of a record made of unknowns, by name.

    ``named(name)``: the name of a field's unknown.
    """
    known, found = flags(record), {name: getattr(v, named(name)) for name in some}
    return {name: value == 1 if name in known else value for name, value in found.items()}
