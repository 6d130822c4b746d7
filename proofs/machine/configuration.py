"""A machine with the settings of its proofs and explorations: unknowns, moves, example limits, and target
predicates."""

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
"""Pseudo-action of an observer, always the last one of a run; it changes nothing."""
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
    """Last tick that is explored. 0 if no observer is needed, because the passing of time alone makes no state bad."""
    most: int = 31
    """Greatest number in an explored state."""
    limit: int = 200
    """Greatest number of actions in an explored run; an exploration that needs more fails."""
    gives_up: bool = False
    """Whether an exploration that needs more ends without a counterexample instead of failing."""
    numbers: Callable[[L], Mapping[str, Int]] = lambda limits: {}
    """``numbers(limits)``: values of the numeric choices in explorations and counterexamples."""
    aside: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``aside(claim)``: actions that explorations leave out because they cannot help to reach a bad state."""
    ends: Sequence[str] = ()
    """Actions with which a timed run should end, in order of preference. If there are none and there is an ``end``,
    runs end with an observer (``OBSERVES``)."""
    follows: Callable[[C], C] = lambda choices: choices
    """``follows(choices)``: the choices of explorations and counterexamples, completed by those that the others
    determine."""
    around: tuple[int, int] | None = None
    """Numbers of consumers and of queues in a run, if they are not the number of copies and one."""
    end_of: Callable[[Claim], int] = lambda claim: 0
    """``end_of(claim)``: the ``end`` for a claim that has its own; else 0."""
    joined: bool = False
    """Whether an induction joins its actions in one obligation, with the acting action's number as an unknown. With
    many actions, that is proved sooner."""
    tried: Callable[[Claim, Sequence[Happens]], Sequence[Happens]] = lambda claim, moves: moves
    """``tried(claim, moves)``: the moves to explore, in order. Of several runs of the same length, the first one is
    reported."""
    fits: Callable[[Claim], tuple[L, L]] | None = None
    """``fits(claim)``: limits in place of ``examples`` and ``ticks``, if claims have different ones."""
    apart: bool = False
    """Whether the actions of a counterexample are at least 1 ms apart, so that it does not depend on simultaneous
    actions."""
    copies: int = 1
    """Number of copies that are explored and run; each has its own fields, and all have the shared ones."""
    bounds: Callable[[Claim], Sequence[Bound[S, L]]] = lambda claim: ()
    """``bounds(claim)``: the limits of time that the claim's guarantee promises."""
    every: Callable[[Claim], bool] = lambda claim: False
    """``every(claim)``: whether a run is bad only if every copy's state is, not already if one copy's is."""
    unseen: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``unseen(claim)``: fields that cannot influence whether a state is bad; explorations keep them at their first
    values."""
    beside: Callable[[Claim], Mapping[str, Predicate[S, L]]] | None = None
    """``beside(claim)``: bad states for each guarantee claimed in the same world, by name. With it, a search on the
    client's own encoding of a machine without a clock that gives up looks for all of them in one pass."""
    best: Callable[[Claim], Callable[[Schedule], Any] | None] = lambda claim: None
    """``best(claim)``: a rating of schedules. Such a search reports the highest-rated of the shortest schedules."""
    hopeless: Callable[[Claim], Predicate[S, L] | None] = lambda claim: None
    """``hopeless(claim)``: states of the copy that has acted from which no bad state can be reached; explorations drop
    them."""

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """Name of the time, if the machine has a clock; else nothing."""
        return tuple(name for name in names(self.machine.state) if name == "now")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Names of the state's other fields."""
        return tuple(name for name in names(self.machine.state) if name not in self.clock)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all unknowns: fields of the state, the limits and the choices.

        Raises ``ValueError`` if two of these records have a field of one name, which would be one unknown.
        """
        found = (*self.clock, *self.own, *names(self.machine.limits), *names(self.machine.choices))
        if both := sorted({name for name in found if found.count(name) > 1}):
            raise ValueError(f"two records of a machine have a field of one name: {', '.join(both)}")
        return found

    @cached_property
    def given(self) -> Callable[[SimpleNamespace], Given[S, C, L]]:
        """``given(v)``: the state, choices and limits made of the unknowns ``v``."""

        def made(v: SimpleNamespace) -> Given[S, C, L]:
            return read(self.machine.state, v), read(self.machine.choices, v), read(self.machine.limits, v)

        return made_once(made)

    def last(self, claim: Claim) -> int:
        """Last tick that is explored for a claim."""
        return self.end_of(claim) or self.end

    def unknowns(self) -> Unknowns:
        """New unknowns, one for each name."""
        return Unknowns(**{name: smt.Int(name) for name in self.names})

    @cached_property
    def symbols(self) -> Given[S, C, L]:
        """State, choices and limits made of unknowns; cached, because making them takes longer than compiling a
        kernel."""
        return self.given(self.unknowns())

    def truths(self, v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
        """Premises that each unknown of a flag is 0 or 1, and that each number that is chosen is in its range."""
        known = flags(self.machine.state) | flags(self.machine.choices)
        chosen = ranged("each number that is chosen is in its range", self.given(v)[1])
        return truths(v, [name for name in self.names if name in known]) | chosen

    def form(self, state: S, limits: L) -> dict[str, smt.BoolTerm]:
        """Premises that the state's numbers are in their ranges, and that it is well-formed, if the machine defines
        that."""
        well_formed = self.machine.well_formed
        found = {"the state is well-formed": term(well_formed(state, limits))} if well_formed else {}
        return ranged("each number of the state is in its range", state) | found

    def named(self, state: S) -> dict[str, smt.BoolTerm]:
        """Premises that each field that names a copy names the copy itself, another one, or nobody."""
        some = {name: getattr(state, name) for name in naming(self.machine.state)}
        return {f"{name} is a consumer, or none": term(And(one >= NOBODY, one <= OTHER)) for name, one in some.items()}

    @property
    def looks(self) -> bool:
        """Whether runs end with an observer (``OBSERVES``)."""
        return bool(self.end) and not self.ends

    @cached_property
    def opens(self) -> Mapping[str, Sequence[str]]:
        """For each action, its nondeterministic choices that are flags; also for ``OBSERVES`` if runs end with it."""
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
        """The move once for each copy. A move of the environment, or of a machine with one copy, is given once."""
        if self.copies == 1:
            return [move]
        every = self.copies if self.machine.actions[move.action].by == MACHINE else 1
        return [replace(move, who=who) for who in range(every)]

    def acting(self, happens: Happens) -> int:
        """Index of the copy whose state evaluates an action."""
        return happens.who if self.copies > 1 else 0

    def of_claim(self, claim: Claim) -> tuple[L, L]:
        """A claim's limits for counterexamples, in ms, and for explorations, in ticks."""
        return self.fits(claim) if self.fits else (self.examples, self.ticks)

    def words(self, happens: Happens) -> str:
        """The action's name; with several copies also the acting copy's: ``locks`` or ``X locks``."""
        mine = self.copies > 1 and happens.action in self.machine.actions
        whose = mine and self.machine.actions[happens.action].by == MACHINE
        return f"{NAMES[happens.who]} {happens.action}" if whose else happens.action

    def chosen(self, happens: Happens, limits: L) -> C:
        """All choices of an action. Flags that it does not use are false. The values are terms if the limits are."""
        return self.completed(dict(happens.said), limits)

    def completed(self, said: Mapping[str, bool], limits: L) -> C:
        """All choices, given the flags that are chosen."""
        return self.follows(self.machine.choices.blank(**self.numbers(limits)).but(**said))

    def unknown(self, schedule: Schedule) -> list[smt.IntTerm]:
        """Unknowns of a run: the times of its actions, or the limits if there is no clock."""
        return times_of(schedule) if self.clock else [smt.Int(name) for name in names(self.machine.limits)]

    def known(self, claim: Claim, schedule: Schedule, values: Sequence[One]) -> tuple[L, Sequence[One | int]]:
        """Limits and times of a claim's run, given the values of the run's unknowns."""
        if self.clock:
            return self.of_claim(claim)[0], values
        limits = self.machine.limits.of(dict(zip(names(self.machine.limits), values, strict=True)))
        return limits, [0] * len(schedule)


def read(record: type[R], v: SimpleNamespace) -> R:
    """The record made of unknowns."""
    return record(**part(record, v, names(record)))


def ranged(words: str, record: Record, some: Collection[str] | None = None) -> dict[str, smt.BoolTerm]:
    """The premise that the record's numbers, or those of some fields, are in their ranges; none if it has no
    numbers."""
    so = record.in_range(some)
    return {} if so is True else {words: term(so)}


def part(
    record: type[R], v: SimpleNamespace, some: Iterable[str], named: Callable[[str], str] = str
) -> dict[str, Value]:
    """Some fields of a record made of unknowns, by name. ``named(name)``: the name of a field's unknown."""
    known, found = flags(record), {name: getattr(v, named(name)) for name in some}
    return {name: value == 1 if name in known else value for name, value in found.items()}
