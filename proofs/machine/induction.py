"""Proofs by an inductive invariant.

Obligations are initiation, consecution for each action and for passing time, and the conclusion.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic

from rebalance_proofs.model.machine.conjunct import Conjunct, Predicate
from rebalance_proofs.model.machine.copies import Others
from rebalance_proofs.model.machine.machine import Turn, act_of
from rebalance_proofs.model.machine.record import C, L, S, V, flags, shared, variables
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import folded
from rebalance_proofs.proofs.machine.configuration import Configuration, part, ranged
from rebalance_proofs.proofs.obligation import Obligation, Statement, made_once, truth_values

Terms = dict[str, smt.BoolTerm]
Stated = Callable[[Any, SimpleNamespace], Statement]


@dataclass(frozen=True, eq=False)
class Induction(Generic[S, C, L, V]):
    """Proof that no reachable state is bad, for one variant of a machine.

    ``world`` has the assumptions.
    """

    configuration: Configuration[S, C, L, V]
    variant: V
    world: MachineWorld[S, C, L]
    invariant: Sequence[Conjunct[S, L]]
    bad: Predicate[S, L] | None
    """The bad states; None to prove only the invariant."""
    conclusion: tuple[str, str] | None = None
    """Name and sentence of the obligation that the invariant excludes bad states.

    If None, initiation and consecution also prove that each state is not bad.
    """
    open: bool = False
    """Whether the state fields listed in ``Machine.open`` initially have arbitrary values."""
    asked: Callable[[L], Mapping[str, Bool]] = lambda limits: {}
    """Further assumptions about the limits, by sentence; initiation does not use them."""
    begins: Callable[[S, L], Mapping[str, Bool]] | None = None
    """Assumptions about the shared fields when a copy begins, by sentence.

    None if nothing is shared.
    """
    others: Sequence[Others[S, L]] = ()
    """Everything that other copies (consumers) can do to the shared fields."""
    idle: Collection[str] = ()
    """Actions that the invariant makes impossible.

    For these, impossibility is proved instead of consecution.
    """

    def obligations(self) -> Iterator[Obligation]:
        """Yield all obligations, which together prove that no reachable state is bad.

        Each action has one, or a part of the joined one, except actions that the variant lacks or the assumptions
        exclude. Initiation is left out if it simplifies to true.
        """
        if not smt.is_true(folded(self._first(self.configuration.unknowns()))):
            more = ", whatever others have done" if self.begins else ""
            yield self._about("initiation", f"Initially the invariant holds{more}.", self._initiation)
        if self.configuration.joined:
            told = ", ".join(f"`{name}`" for name in self.actions)
            sentence = f"Whatever happens, the invariant is preserved: {told}."
            yield about(self.configuration, "happens", sentence, self._any, "action", actions=self.actions)
        for name in () if self.configuration.joined else self.actions:
            sentence = f"{self.configuration.machine.actions[name].sentence} The invariant is preserved."
            yield self._about(name, sentence, self._consecution(name))
        for name in self._known(self.idle):
            sentence = f"{self.configuration.machine.actions[name].sentence} The invariant makes that impossible."
            yield self._about(name, sentence, self._impossible(name))
        if self.configuration.clock:
            yield self._about("time-passes", "Time passes. The invariant is preserved.", self._waiting, "until")
        for others in self.others:
            unknown = tuple(map(_then, others.opens))
            yield self._about(
                others.name, f"{others.sentence} The invariant is preserved.", self._disturbance(others), *unknown
            )
        if self.conclusion:
            name, sentence = self.conclusion
            yield self._about(name, f"If the invariant holds, {sentence}.", self._concluded)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Return the names of the actions whose consecution is to be proved."""
        return self._known([name for name in self.configuration.machine.actions if name not in self.idle])

    def _known(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those of the named actions that the variant has and the assumptions permit."""
        known = self.configuration.machine.actions
        return tuple(name for name in names if known[name].has(self.variant) and name not in self.world.excludes)

    def _about(self, name: str, sentence: str, state: Stated, *more: str) -> Obligation:
        return about(self.configuration, name, sentence, state, *more)

    @cached_property
    def well(self) -> Callable[[SimpleNamespace], Terms]:
        """Return the induction hypothesis, as a function of the unknowns.

        It has the invariant, the assumptions about limits, and that the state is well-formed.
        """
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

    def _then(self, state: S, v: SimpleNamespace) -> smt.BoolTerm:
        limits = self.configuration.given(v)[2]
        nothing_bad = [] if self.conclusion or self.bad is None else [term(Not(self.bad(state, limits)))]
        return smt.And([*self._all(state, v).values(), *nothing_bad])

    def _first(self, v: SimpleNamespace) -> smt.BoolTerm:
        machine, (state, _, limits) = self.configuration.machine, self.configuration.given(v)
        given = (*self.configuration.clock, *(machine.open if self.open else ()))
        first = machine.begun(limits, self.variant, **{name: getattr(state, name) for name in given}).terms()
        return self._then(first.but(**{name: getattr(state, name) for name in shared(machine.state)}), v)

    def _initiation(self, encoding: Any, v: SimpleNamespace) -> Statement:
        state, _, limits = self.configuration.given(v)
        begins = self.begins(state, limits) if self.begins else {}
        there = (*self.configuration.clock, *(shared(self.configuration.machine.state) if self.begins else ()))
        given = self._given(v) | ranged("each existing number is in its range", state, there)
        return Statement(given | {words: term(so) for words, so in begins.items()}, self._first(v))

    def _turn(self, encoding: Any, name: str, v: SimpleNamespace) -> tuple[Turn[S], Bool]:
        """Return an action's guard and effect by ``encoding``, and whether the assumptions allow it."""
        given = self.configuration.given(v)
        return act_of(encoding, name)(*given), self.world.beside(encoding).permits(name, *given)

    def _consecution(self, name: str) -> Stated:
        def state(encoding: Any, v: SimpleNamespace) -> Statement:
            turn, allowed = self._turn(encoding, name, v)
            can = {"the action is possible": term(turn.guard), "the assumptions allow it": term(allowed)}
            return Statement(self.well(v) | can, self._then(turn.after, v))

        return state

    def _impossible(self, name: str) -> Stated:
        def state(encoding: Any, v: SimpleNamespace) -> Statement:
            turn, allowed = self._turn(encoding, name, v)
            return Statement(self.well(v), term(Not(And(turn.guard, allowed))))

        return state

    def _any(self, encoding: Any, v: SimpleNamespace) -> Statement:
        can, stays = [], []
        for number, name in enumerate(self.actions):
            (turn, allowed), this = self._turn(encoding, name, v), v.action == number
            can.append(smt.And(this, term(turn.guard), term(allowed)))
            stays.append(smt.Implies(this, self._then(turn.after, v)))
        happens = {"one of these actions is possible, and the assumptions allow it": smt.Or(can)}
        return Statement(self.well(v) | happens, smt.And(stays))

    def _waiting(self, encoding: Any, v: SimpleNamespace) -> Statement:
        before, _, limits = self.configuration.given(v)
        waits = {"nothing is due before": term(self.world.beside(encoding).waits(before, v.until, limits))}
        return Statement(self.well(v) | waits, self._then(before.at_time(v.until), v))

    def _disturbance(self, others: Others[S, L]) -> Stated:
        def state(encoding: Any, v: SimpleNamespace) -> Statement:
            before, _, limits = self.configuration.given(v)
            then = before.but(**part(type(before), v, others.opens, _then))
            can, changes = others.acts(before, then, limits, others.owned(before, limits))
            found = [_then(name) for name in others.opens if name in flags(type(before))]
            told = truth_values(v, *found) | {others.words: term(can)}
            return Statement(self.well(v) | told, self._then(before.but(**changes), v))

        return state

    def _concluded(self, encoding: Any, v: SimpleNamespace) -> Statement:
        state, _, limits = self.configuration.given(v)
        assert self.bad is not None
        return Statement(self.well(v), term(Not(self.bad(state, limits))))


def _then(name: str) -> str:
    """Return the name of the unknown for a shared field's value after other copies have acted."""
    return f"{name}_then"


def about(
    of: Configuration[S, C, L, V], name: str, sentence: str, state: Stated, *more: str, actions: Sequence[str] = ()
) -> Obligation:
    """Return an obligation about one state.

    The vacuity check tests that its assumptions permit large times and limits. ``more``: further unknowns.
    ``actions``: actions that must each be possible, selected by the unknown ``action``.
    """
    words = "now and every limit beyond the bound" if of.clock else "every limit beyond the bound"

    # A limit with a greatest value cannot be large.
    large = (*of.clock, *(name for name, one in variables(of.machine.limits).items() if one.most is None))

    def goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, smt.BoolTerm]]:
        yield words, smt.And([getattr(v, one) >= bound for one in large])
        yield from ((f"{one} is possible", v.action == number) for number, one in enumerate(actions))

    return Obligation(name, sentence, (*of.names, *more), state, goals=goals)
