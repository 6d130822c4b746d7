"""Settings for the proofs and explorations of a machine.

They are unknowns, actions to explore, limits of examples, and bad states to find.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.copies import NOBODY, OTHER
from rebalance_proofs.model.machine.machine import ENVIRONMENT, MACHINE, Machine
from rebalance_proofs.model.machine.record import C, L, R, Record, S, V, flags, names, naming
from rebalance_proofs.model.machine.run import NAMES, Happens, Schedule, times_of
from rebalance_proofs.model.machine.values import And, Int, Value, term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.obligation import Unknowns, made_once, truths

OBSERVES = "observes"
"""Name of a pseudo-action that ends a run and changes nothing, like an observer's look."""
Given = tuple[S, C, L]
One = TypeVar("One", int, smt.IntTerm)


@dataclass(frozen=True, eq=False)
class Configuration(Generic[S, C, L, V]):
    """A machine with the settings of one kind of claims.

    Unknowns are integers with the names of fields; an unknown for a flag is 0 or 1. A copy is one consumer's instance
    of the machine.
    """

    machine: Machine[S, C, L, V]
    bad: Callable[[Claim], Predicate[S, L] | None]
    """``bad(claim)``: the bad states that violate the claim; None if no run is searched for."""
    examples: L
    """Limits (such as timeouts) used in counterexamples, in ms."""
    ticks: L
    """Limits (such as timeouts) used in explorations, in ticks."""
    end: int = 0
    """Last explored tick; 0 if no state becomes bad by the passing of time alone.

    With 0, runs need no final observer.
    """
    most: int = 31
    """Greatest value of a number in an explored state."""
    limit: int = 200
    """Greatest number of actions in an explored run; an exploration that needs more fails."""
    gives_up: bool = False
    """Whether an exploration that reaches ``limit`` reports no run instead of failing."""
    numbers: Callable[[L], Mapping[str, Int]] = lambda limits: {}
    """``numbers(limits)``: values of the numeric choices in explorations and counterexamples."""
    aside: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``aside(claim)``: actions that explorations omit because they cannot lead to a bad state."""
    ends: Sequence[str] = ()
    """Actions with which a timed run should end, in order of preference.

    If it is empty and ``end`` is not 0, runs end with an observer (``OBSERVES``).
    """
    follows: Callable[[C], C] = lambda choices: choices
    """``follows(choices)``: the choices of explorations and counterexamples, completed.

    The added choices are determined by those in ``choices``.
    """
    around: tuple[int, int] | None = None
    """Numbers of consumers and queues in a run, if they differ from ``copies`` and 1."""
    end_of: Callable[[Claim], int] = lambda claim: 0
    """``end_of(claim)``: the last explored tick for this claim; 0 to use ``end``."""
    joined: bool = False
    """Whether an induction has one obligation for all actions, instead of one for each.

    The action's number is then an unknown. With many actions, this is proved faster.
    """
    tried: Callable[[Claim, Sequence[Happens]], Sequence[Happens]] = lambda claim, moves: moves
    """``tried(claim, moves)``: the actions to explore, in order.

    Of several runs of the same length, the first one is reported.
    """
    fits: Callable[[Claim], tuple[L, L]] | None = None
    """``fits(claim)``: limits of the claim that replace ``examples`` and ``ticks``."""
    apart: bool = False
    """Whether a counterexample's actions are at least 1 ms apart.

    It then does not depend on simultaneous actions.
    """
    copies: int = 1
    """Number of copies (consumers) in explorations.

    Each has its own fields, and all share the shared fields.
    """
    bounds: Callable[[Claim], Sequence[Bound[S, L]]] = lambda claim: ()
    """``bounds(claim)``: the time bounds of the claim's guarantee."""
    every: Callable[[Claim], bool] = lambda claim: False
    """``every(claim)``: whether a run violates the claim only if every copy's state is bad.

    Otherwise one bad copy is enough.
    """
    unseen: Callable[[Claim], Collection[str]] = lambda claim: ()
    """``unseen(claim)``: fields that cannot influence whether a state is bad.

    Explorations leave them at their first values.
    """
    beside: Callable[[Claim], Mapping[str, Predicate[S, L]]] | None = None
    """``beside(claim)``: bad states of all guarantees with the same assumptions, by name.

    One search then looks for all of them at once. This applies to searches with ``gives_up``, on the client's own
    encoding of a machine without a clock.
    """
    best: Callable[[Claim], Callable[[Schedule], Any] | None] = lambda claim: None
    """``best(claim)``: a function that rates schedules.

    A search with ``beside`` reports the highest-rated of the shortest schedules.
    """
    hopeless: Callable[[Claim], Predicate[S, L] | None] = lambda claim: None
    """``hopeless(claim)``: states from which no bad state can be reached.

    Each is a condition on the copy that acts. Explorations drop such states.
    """

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """Return the name of the time field; empty if the machine has no clock."""
        return tuple(name for name in names(self.machine.state) if name == "now")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Return the names of the state's fields, without the time."""
        return tuple(name for name in names(self.machine.state) if name not in self.clock)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of all unknowns: fields of the state, the limits and the choices.

        Raises ``ValueError`` if two of these records share a field name.
        """
        found = (*self.clock, *self.own, *names(self.machine.limits), *names(self.machine.choices))
        if both := sorted({name for name in found if found.count(name) > 1}):
            raise ValueError(f"two records of a machine have a field of the same name: {', '.join(both)}")
        return found

    @cached_property
    def given(self) -> Callable[[SimpleNamespace], Given[S, C, L]]:
        """Return a function of unknowns that returns the state, choices and limits made of them."""

        def made(v: SimpleNamespace) -> Given[S, C, L]:
            return read(self.machine.state, v), read(self.machine.choices, v), read(self.machine.limits, v)

        return made_once(made)

    def last(self, claim: Claim) -> int:
        """Return the last explored tick of a claim."""
        return self.end_of(claim) or self.end

    def unknowns(self) -> Unknowns:
        """Return new unknowns, one for each field of state, limits and choices."""
        return Unknowns(**{name: smt.Int(name) for name in self.names})

    @cached_property
    def symbols(self) -> Given[S, C, L]:
        """Return a state, choices and limits made of unknowns.

        They are cached, because making them takes longer than compiling a function of them.
        """
        return self.given(self.unknowns())

    def truths(self, v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
        """Return the assumptions that flags are 0 or 1 and chosen numbers are in range."""
        known = flags(self.machine.state) | flags(self.machine.choices)
        chosen = ranged("each chosen number is in its range", self.given(v)[1])
        return truths(v, [name for name in self.names if name in known]) | chosen

    def form(self, state: S, limits: L) -> dict[str, smt.BoolTerm]:
        """Return the assumptions that a state's numbers are in range and that it is well-formed."""
        well_formed = self.machine.well_formed
        found = {"the state is well-formed": term(well_formed(state, limits))} if well_formed else {}
        return ranged("each number of the state is in its range", state) | found

    def named(self, state: S) -> dict[str, smt.BoolTerm]:
        """Return the assumptions on fields that identify a copy: this copy, another copy or none."""
        some = {name: getattr(state, name) for name in naming(self.machine.state)}
        return {f"{name} is a consumer, or none": term(And(one >= NOBODY, one <= OTHER)) for name, one in some.items()}

    @property
    def looks(self) -> bool:
        """Return whether runs end with an observer (``OBSERVES``)."""
        return bool(self.end) and not self.ends

    @cached_property
    def opens(self) -> Mapping[str, Sequence[str]]:
        """Return each action's nondeterministic flags, by the action's name.

        ``OBSERVES`` is included if runs end with it.
        """
        known, actions = flags(self.machine.choices), self.machine.actions
        opens = {name: tuple(filter(known.__contains__, action.choices)) for name, action in actions.items()}
        return opens | ({OBSERVES: ()} if self.looks else {})

    @cached_property
    def moves(self) -> tuple[Happens, ...]:
        """Return every action with every combination of its nondeterministic flags."""
        every = ((name, product((False, True), repeat=len(self.opens[name]))) for name in self.machine.actions)
        return tuple(self.happens(name, *values) for name, choices in every for values in choices)

    def happens(self, action: str, *choices: bool, who: int | None = None) -> Happens:
        """Return an action with values of its nondeterministic flags.

        Raises ``ValueError`` for a wrong number of values.
        """
        by = ENVIRONMENT if action == OBSERVES else self.machine.actions[action].by
        return Happens(by if who is None else who, action, tuple(zip(self.opens[action], choices, strict=True)))

    def whose(self, move: Happens) -> list[Happens]:
        """Return the action once for each copy that can do it.

        An action of the environment, or of a machine with one copy, is returned once.
        """
        if self.copies == 1:
            return [move]
        every = self.copies if self.machine.actions[move.action].by == MACHINE else 1
        return [replace(move, who=who) for who in range(every)]

    def acting(self, happens: Happens) -> int:
        """Return the index of the copy in whose state an action is evaluated."""
        return happens.who if self.copies > 1 else 0

    def of_claim(self, claim: Claim) -> tuple[L, L]:
        """Return a claim's time limits for counterexamples, in ms, and for explorations, in ticks."""
        return self.fits(claim) if self.fits else (self.examples, self.ticks)

    def words(self, happens: Happens) -> str:
        """Return the display name of an action: ``locks``, or with several copies ``X locks``."""
        mine = self.copies > 1 and happens.action in self.machine.actions
        whose = mine and self.machine.actions[happens.action].by == MACHINE
        return f"{NAMES[happens.who]} {happens.action}" if whose else happens.action

    def chosen(self, happens: Happens, limits: L) -> C:
        """Return all choices of an action; flags that it does not use are false.

        The values are terms if the limits are.
        """
        return self.completed(dict(happens.said), limits)

    def completed(self, said: Mapping[str, bool], limits: L) -> C:
        """Return all choices of an action, given its flags ``said``."""
        return self.follows(self.machine.choices.blank(**self.numbers(limits)).but(**said))

    def unknown(self, schedule: Schedule) -> list[smt.IntTerm]:
        """Return the unknowns of a run: the times of its actions.

        Without a clock, they are the limits.
        """
        return times_of(schedule) if self.clock else [smt.Int(name) for name in names(self.machine.limits)]

    def known(self, claim: Claim, schedule: Schedule, values: Sequence[One]) -> tuple[L, Sequence[One | int]]:
        """Return the limits and the times of a run, given the values of its unknowns."""
        if self.clock:
            return self.of_claim(claim)[0], values
        limits = self.machine.limits.of(dict(zip(names(self.machine.limits), values, strict=True)))
        return limits, [0] * len(schedule)


def read(record: type[R], v: SimpleNamespace) -> R:
    """Return a record of that type whose fields are made of the unknowns ``v``."""
    return record(**part(record, v, names(record)))


def ranged(words: str, record: Record, some: Collection[str] | None = None) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the record's numbers are in range (only fields in ``some``).

    Empty if it has no numbers. ``words`` describe the assumption.
    """
    so = record.in_range(some)
    return {} if so is True else {words: term(so)}


def part(
    record: type[R], v: SimpleNamespace, some: Iterable[str], named: Callable[[str], str] = str
) -> dict[str, Value]:
    """Return some fields of a record, made of the unknowns ``v``, by field name.

    ``named(name)``: the name of a field's unknown.
    """
    known, found = flags(record), {name: getattr(v, named(name)) for name in some}
    return {name: value == 1 if name in known else value for name, value in found.items()}
