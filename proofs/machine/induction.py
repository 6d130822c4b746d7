"""Proofs by an inductive invariant: initiation, consecution for every action and for time, and what follows from it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic

import z3

from rebalance_proofs.model.machine.machine import Step, act_of
from rebalance_proofs.model.machine.record import C, L, S, V, flags, shared, variables
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate, part
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.records import made_once

__all__ = ["Conjunct", "Induction", "Others", "about"]

Terms = dict[str, z3.BoolRef]
Stated = Callable[[Any, SimpleNamespace], Statement]


@dataclass(frozen=True)
class Conjunct(Generic[S, L]):
    """One part of an invariant."""

    name: str
    sentence: str
    holds: Predicate[S, L]
    shared: bool = False
    """It is about what all copies share alone: each of them keeps it."""


@dataclass(frozen=True)
class Others(Generic[S, L]):
    """Something that others do to what all share: what a copy relies on, and what each is proved to do (``rely``)."""

    name: str
    sentence: str
    words: str
    """When they do it, or that it is of this kind: a premise."""
    effect: Callable[[S, S, L, Bool], Step]
    """``effect(state, then, limits, mine)``, as one sees it that relies on it: when they do it, and what changes. The
    condition is about what is shared; the rest of the state can change with that, as far as ghosts do.

    ``then`` has the shared fields after it, as far as they are left open; ``mine``: see ``owner``.
    """
    opens: tuple[str, ...] = ()
    """The shared fields that it leaves open."""
    owner: tuple[Predicate[S, L], Predicate[S, L]] | None = None
    """Whether anybody is the owner of what is shared, and whether this copy is. No two are. ``mine`` is that this one
    is; of one that acts, that another one is."""

    def owned(self, state: S, limits: L, *, acting: bool = False) -> Bool:
        """``mine``, of one that relies on it, or of one that acts."""
        if self.owner is None:
            return True
        owned, own = (one(state, limits) for one in self.owner)
        return And(owned, Not(own) if acting else own)


@dataclass(frozen=True, eq=False)
class Induction(Generic[S, C, L, V]):
    """That no state in reach is bad, of a machine of one variant, in one world."""

    configuration: Configuration[S, C, L, V]
    variant: V
    world: MachineWorld[S, C, L]
    invariant: Sequence[Conjunct[S, L]]
    bad: Predicate[S, L] | None
    """None where the invariant is all that is shown."""
    conclusion: tuple[str, str] | None = None
    """Name and sentence of the obligation that no state with the invariant is bad; None where initiation and
    consecution say it, too."""
    asked: Callable[[L], Mapping[str, Bool]] = lambda limits: {}
    """What is asked of the limits besides, in words; at first it is not needed."""
    begins: Callable[[S, L], Mapping[str, Bool]] | None = None
    """What is so of what is shared when a copy begins, in words; None where nothing is shared."""
    others: Sequence[Others[S, L]] = ()
    """All that other copies do to it."""
    idle: Collection[str] = ()
    """Actions that are not possible where all is well, and have no obligation."""

    def obligations(self) -> Iterator[Obligation]:
        """Together they say it.

        Every action of the machine has an obligation, but for those that the variant does not have and those that the
        world excludes: neither is possible in any statement. Initiation is left out where it is plain.
        """
        if not z3.is_true(z3.simplify(self._first(self.configuration.unknowns()))):
            more = ", whatever others have done" if self.begins else ""
            yield self._about("at-first", f"At first all is well{more}.", self._initiation)
        for name, action in self.configuration.machine.actions.items():
            if action.has(self.variant) and name not in self.world.excludes and name not in self.idle:
                yield self._about(name, f"{action.sentence} All stays well.", self._consecution(name))
        if self.configuration.clock:
            yield self._about("time-passes", "Time passes. All stays well.", self._waiting, "until")
        for others in self.others:
            unknown = tuple(map(_then, others.opens))
            yield self._about(others.name, f"{others.sentence} All stays well.", self._disturbance(others), *unknown)
        if self.conclusion:
            name, sentence = self.conclusion
            yield self._about(name, f"Where all is well, {sentence}.", self._concluded)

    def _about(self, name: str, sentence: str, state: Stated, *more: str) -> Obligation:
        return about(self.configuration, name, sentence, state, *more)

    @cached_property
    def well(self) -> Callable[[SimpleNamespace], Terms]:
        """The invariant holds, and the limits are as asked."""
        return made_once(lambda v: self._given(v) | self._asked(v) | self._all(self.configuration.given(v)[0], v))

    def _given(self, v: SimpleNamespace) -> Terms:
        asked = self.world.given(self.configuration.given(v)[2])
        return self.configuration.truths(v) | {words: term(so) for words, so in asked.items()}

    def _asked(self, v: SimpleNamespace) -> Terms:
        return {words: term(so) for words, so in self.asked(self.configuration.given(v)[2]).items()}

    def _all(self, state: S, v: SimpleNamespace) -> Terms:
        limits = self.configuration.given(v)[2]
        return self.configuration.form(state, limits) | {
            conjunct.sentence: term(conjunct.holds(state, limits)) for conjunct in self.invariant
        }

    def _then(self, state: S, v: SimpleNamespace) -> z3.BoolRef:
        limits = self.configuration.given(v)[2]
        nothing_bad = [] if self.conclusion or self.bad is None else [term(Not(self.bad(state, limits)))]
        return z3.And([*self._all(state, v).values(), *nothing_bad])

    def _first(self, v: SimpleNamespace) -> z3.BoolRef:
        machine, (_, _, limits) = self.configuration.machine, self.configuration.given(v)
        blank = machine.state.blank(**{name: getattr(v, name) for name in self.configuration.clock}).terms()
        first, state = machine.first(blank, limits, self.variant), self.configuration.given(v)[0]
        return self._then(first.but(**{name: getattr(state, name) for name in shared(machine.state)}), v)

    def _initiation(self, encoding: Any, v: SimpleNamespace) -> Statement:
        state, _, limits = self.configuration.given(v)
        begins = self.begins(state, limits) if self.begins else {}
        return Statement(self._given(v) | {words: term(so) for words, so in begins.items()}, self._first(v))

    def _consecution(self, name: str) -> Stated:
        def state(encoding: Any, v: SimpleNamespace) -> Statement:
            given = self.configuration.given(v)
            turn, allowed = act_of(encoding, name)(*given), self.world.beside(encoding).permits(name, *given)
            can = {"it is possible": term(turn.can), "the premises allow it": term(allowed)}
            return Statement(self.well(v) | can, self._then(turn.after, v))

        return state

    def _waiting(self, encoding: Any, v: SimpleNamespace) -> Statement:
        before, _, limits = self.configuration.given(v)
        waits = {"nothing is due before": term(self.world.beside(encoding).waits(before, v.until, limits))}
        return Statement(self.well(v) | waits, self._then(before.at_time(v.until), v))

    def _disturbance(self, others: Others[S, L]) -> Stated:
        def state(encoding: Any, v: SimpleNamespace) -> Statement:
            before, _, limits = self.configuration.given(v)
            opened = SimpleNamespace(**{name: getattr(v, _then(name)) for name in others.opens})
            then = before.but(**part(type(before), opened, others.opens))
            can, changes = others.effect(before, then, limits, others.owned(before, limits))
            found = [_then(name) for name in others.opens if name in flags(type(before))]
            told = truth_values(v, *found) | {others.words: term(can)}
            return Statement(self.well(v) | told, self._then(before.but(**changes), v))

        return state

    def _concluded(self, encoding: Any, v: SimpleNamespace) -> Statement:
        state, _, limits = self.configuration.given(v)
        assert self.bad is not None
        return Statement(self.well(v), term(Not(self.bad(state, limits))))


def _then(name: str) -> str:
    """The unknown of a shared field after others have acted."""
    return f"{name}_then"


def about(of: Configuration[S, C, L, V], name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about one state, whose premises have to leave large numbers open; ``more``: other unknowns."""
    words = "now and every limit beyond the bound" if of.clock else "every limit beyond the bound"

    # A limit with a greatest value is no large number.
    large = (*of.clock, *(name for name, one in variables(of.machine.limits).items() if one.most is None))

    def goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
        yield words, z3.And([getattr(v, one) >= bound for one in large])

    return Obligation(name, sentence, (*of.names, *more), state, goals=goals)
