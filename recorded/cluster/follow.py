"""Search behaviours of a state machine that explain recorded events.

A follower has the set of all states in which the machine can be. Each event advances this set by the machine's actions.
An event that no action explains is rejected.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from typing import Any, Generic, cast

from rebalance_proofs.model.machine.machine import Machine, Turn, act_of
from rebalance_proofs.model.machine.record import C, L, S, V, flags, names, variables
from rebalance_proofs.model.machine.values import Bool, Int, Value, number, term, truth
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.kernel import compile_exact, unknowns
from rebalance_proofs.recorded.cluster.tally import MOST, TOO_MANY, Tally, Unexplained
from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True)
class Move:
    """One action of the machine, with values for some of its choices (nondeterministic inputs).

    Each choice without a given value is tried with both values.
    """

    action: str
    choices: Mapping[str, int] = field(default_factory=dict)
    at: int | None = None
    """Time of the action in ms; None for the time of the explained event."""


Way = tuple[Move, ...]
"""A sequence of actions that together explain one event.

All but one leave no event of their own.
"""


def does(action: str, at: int | None = None, **choices: int) -> Move:
    """Return an action as a ``Move``; ``choices`` are values of its nondeterministic inputs."""
    return Move(action, choices, at)


@dataclass
class Follower(Generic[S, C, L, V]):
    """The set of states in which a machine can be after the events so far."""

    machine: Machine[S, C, L, V]
    variant: V
    limits: L
    tally: Tally
    states: dict[S, None] = field(default_factory=dict)
    encoding: Any = None
    """Actions to use instead of the variant's own, as in mutation tests.

    The value is None for the variant's own.
    """
    kept: frozenset[str] = frozenset()
    """Ghost variables (used by no guard) that events show; the others are set to 0."""
    past: list[tuple[int, list[S]]] = field(default_factory=list)
    """The last events, each as (time in ms, possible states before the event)."""

    def begin(self, *states: S) -> None:
        """Replace the set of possible states by the given states."""
        self.states = dict.fromkeys(states)

    def keep(self, at: int, most: int) -> None:
        """Remember the possible states before an event at ``at`` ms.

        Of earlier remembered sets, only the last ``most`` are kept.
        """
        self.past = [*self.past[-most:], (at, [*self.states])]

    def lately(self, at: int, within: int) -> Iterator[S]:
        """Return remembered states from less than ``within`` ms before ``at``."""
        return (state for before, states in self.past if at - before < within for state in states)

    def show(
        self,
        event: Event,
        ways: Iterable[Way],
        why: str,
        *,
        at: int | None = None,
        seen: Callable[[S], Bool] | None = None,
    ) -> None:
        """Advance the states by an event: by one of ``ways``, so that the condition ``seen`` holds afterwards.

        Raises ``Unexplained`` with the reason ``why`` if no state remains. An empty way means that the event changes
        nothing.
        """
        time, tried = event.at if at is None else at, [*ways]
        found: dict[S, None] = {}
        used: Way = ()
        for state in self.states:
            for way in tried:
                for after in self.after(state, way, time):
                    if seen is None or truth(seen(after)):
                        found[after] = None
                        used = used or way
        if not found:
            raise Unexplained(event, why, self.told(self.states), self.nearest(self.states, tried, time))
        if len(found) > MOST:
            raise Unexplained(event, TOO_MANY, self.told(self.states))
        if used:
            self.tally.shown.update(move.action for move in used)
            self.tally.hidden += len(used) - 1
        self.tally.most_states = max(self.tally.most_states, len(found))
        self.states = found

    def let(self, at: int, *ways: Way) -> None:
        """Add the states after ``ways``, because these actions may have happened without an event."""
        for state in [*self.states]:
            for way in ways:
                for after in self.after(state, way, at):
                    if after not in self.states:
                        self.states[after] = None
                        self.tally.hidden += 1

    def able(self, state: S, action: str, at: Int) -> bool:
        """Return True if the action's guard holds in a state at time ``at``, for some choices."""
        return next(self.after(state, (Move(action),), number(at)), None) is not None

    def after(self, state: S, way: Way, at: int) -> Iterator[S]:
        """Yield the states after the actions of ``way``.

        All values of choices that ``way`` does not give are tried.
        """
        if not way:
            yield state.at_time(at)
            return
        first, *rest = way
        for choices in self._choices(first):
            turn = self._turn(first.action, state.at_time(at if first.at is None else first.at), choices)
            if truth(turn.guard):
                if rest:
                    yield from self.after(turn.after, tuple(rest), at)
                else:
                    yield self.alike(turn.after.at_time(at))

    def _turn(self, action: str, state: S, choices: C) -> Turn[S]:
        if self.encoding is None:
            return self.machine.turn(action, self.variant, state, choices, self.limits)
        return act_of(self.encoding, action)(state, choices, self.limits)

    def alike(self, state: S) -> S:
        """Return the state with its irrelevant variables set to 0, so that equivalent states become equal.

        Irrelevant are ghost variables, and variables that do not matter in this state.
        """
        none: dict[str, Value] = {}
        own, kind = vars(state), cast("Any", type(state))
        for name, matters in _changeable(kind, self.kept):
            value = own[name]
            if value and (matters is None or not truth(matters(state))):
                none[name] = False if value is True else 0
        return state.but(**none) if none else state

    def _choices(self, move: Move) -> Sequence[C]:
        known = flags(self.machine.choices)
        left = tuple(
            name for name in self.machine.actions[move.action].choices if name not in move.choices and name in known
        )
        kind = cast("Any", self.machine.choices)
        return cast("Sequence[C]", _chosen(kind, left, tuple(move.choices.items())))

    def told(self, states: Iterable[S]) -> tuple[str, ...]:
        """Return up to five states as text: their true flags, and their numbers other than 0."""
        return tuple(_text(state) for state in [*states][:5])

    def nearest(self, states: Iterable[S], ways: Sequence[Way], at: int) -> tuple[str, ...]:
        """Return for each way, as text, its first impossible action and why it is impossible.

        The reason is the false parts of the action's guard.
        """
        some = [*states][:1]
        return tuple(self._failing(state, way, at) for way in ways for state in some)

    def _failing(self, state: S, way: Way, at: int) -> str:
        for place, move in enumerate(way):
            so_far = way[: place + 1]
            if next(self.after(state, so_far, at), None) is None:
                before = next(self.after(state, way[:place], at), state) if place else state
                parts = self._parts(move, before.at_time(at if move.at is None else move.at))
                sentence = self.machine.actions[move.action].sentence.rstrip(".")
                return f"{move.action} ({sentence}): {' and '.join(parts) or 'its guard'} is false"
        return f"{' then '.join(move.action for move in way) or 'nothing'}: the observed result differs"

    def _parts(self, move: Move, state: S) -> list[str]:
        """Return the parts of the action's guard that are false in a state."""
        found = []
        choices = next(iter(self._choices(move)))
        for part in _conjuncts(self.machine, move.action, self.variant, self.limits):
            used = sorted(unknowns(part))
            values = {**vars(state), **{f"c.{name}": value for name, value in vars(choices).items()}}
            (holds,) = compile_exact(tuple(used), part)(*(values[name] for name in used))
            if not holds:
                found.append(str(part))
        return found


@cache
def _changeable(kind: type[Any], kept: frozenset[str]) -> tuple[tuple[str, Callable[[Any], Bool] | None], ...]:
    """Return the names of variables that can be irrelevant, with the condition under which they matter.

    The condition is None for a forgotten ghost variable, which never matters.
    """
    found: list[tuple[str, Callable[[Any], Bool] | None]] = []
    for name, variable in variables(kind).items():
        if name != "now" and variable.ghost and name not in kept:
            found.append((name, None))
        elif name != "now" and variable.matters is not None:
            found.append((name, variable.matters))
    return tuple(found)


@lru_cache(maxsize=1024)
def _chosen(kind: type[Any], left: Sequence[str], given: Sequence[tuple[str, int]]) -> Sequence[Any]:
    """Return the choices with the ``given`` values, for all values of the flags ``left``."""
    known = flags(kind)
    found = []
    for values in product((False, True), repeat=len(left)):
        chosen = {**dict(given), **dict(zip(left, values, strict=True))}
        found.append(kind.blank(**{name: bool(value) if name in known else value for name, value in chosen.items()}))
    return found


@cache
def _conjuncts(
    machine: Machine[Any, Any, Any, Any], action: str, variant: Any, limits: Any
) -> tuple[smt.BoolTerm, ...]:
    guard, _ = machine.step(action, variant, machine.state.symbols(), machine.choices.symbols("c."), limits)
    return tuple(_flat(term(guard)))


def _flat(part: smt.BoolTerm) -> Iterator[smt.BoolTerm]:
    if part.kind == operators.AND:
        for one in part.children:
            yield from _flat(one)
    else:
        yield part


def _text(state: Any) -> str:
    kind = type(state)
    shown = ((name, getattr(state, name)) for name in names(kind))
    return ", ".join(name if value is True else f"{name}={value}" for name, value in shown if value)
