"""The actions of a page, compiled to functions of plain tuples, which are faster than records."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import product
from typing import Any, NamedTuple

from rebalance_proofs.model.machine.copies import numbered, seen_as
from rebalance_proofs.model.machine.machine import Machine, Turn, act_of
from rebalance_proofs.model.machine.record import Record, flags, names, naming, shared, variables
from rebalance_proofs.model.machine.recorded import Recorded
from rebalance_proofs.model.machine.values import number, term
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.kernel import compile_exact, unknowns

Values = tuple[int, ...]
"""Values of a state's fields, without the time."""

MOST_RECORDS = 10_000
"""Maximum number of states that are kept as records."""


class Act(NamedTuple):
    """One compiled action."""

    guard: Callable[..., tuple[int | bool, ...]]
    """``guard(now, *values, *choices)``: whether the action is possible, as a tuple of one value."""
    after: Callable[..., tuple[int | bool, ...]]
    """``after(now, *values, *choices)``: the values of the successor state."""
    timed: bool
    """Whether the time decides about the guard."""
    parts: tuple[smt.BoolTerm, ...]
    """The conjuncts of the guard."""


class Compiled:
    """A machine's actions for one client and its limits.

    Ghost variables that are not ``kept`` are 0, and so are other variables that do not matter in a state: equivalent
    states are equal.
    """

    def __init__(
        self,
        machine: Machine[Any, Any, Any, Any],
        client: Any,
        limits: Any,
        table: Recorded[Any, Any],
        encoding: Any = None,
    ) -> None:
        """Compile when needed; ``encoding`` has actions to use instead of the client's own."""
        self.machine, self.client, self.limits, self.encoding = machine, client, limits, encoding
        self._free = table.follows is not None
        """Whether the limits differ from message to message, so that they are arguments of the functions."""
        self.kept = table.kept
        self.names = tuple(name for name in names(machine.state) if name != "now")
        self.passing = [place for place, name in enumerate(self.names) if name in table.passing]
        """Places of the fields that are 0 between two events."""
        self.choices = names(machine.choices)
        self.timed = "now" in names(machine.state)
        self._limits = [f"lim.{name}" for name in vars(limits)] if self._free else []
        self._arguments = (*self._limits, "now", *self.names, *(f"c.{name}" for name in self.choices))
        self._acts: dict[str, Act] = {}
        self._unbound: dict[str, Act] = {}
        self._records: dict[tuple[Values, int], Any] = {}
        self._chosen: dict[tuple[object, ...], Sequence[Values]] = {}
        self._first: Values | None = None
        self._shared = [self.names.index(name) for name in shared(machine.state)]
        self._naming = [self.names.index(name) for name in naming(machine.state)]
        """Places of the fields that copies of the machine share, and of those that name a copy."""
        self.kinds = [bool if name in flags(machine.state) else int for name in self.names]

    def with_limits(self, limits: Any) -> "Compiled":
        """Return the same actions for other limits; only the functions that ``act`` returns differ."""
        _ = self._values
        made = copy(self)
        made.limits, made._acts = limits, {}
        return made

    def act(self, action: str) -> Act:
        """Return a compiled action."""
        if action not in self._acts:
            if action not in self._unbound:
                turn = self._turn(action)
                guard = term(turn.guard)
                after = compile_exact(self._arguments, *self._normal(turn.after))
                self._unbound[action] = Act(
                    compile_exact(self._arguments, guard), after, "now" in unknowns(guard), tuple(_flat(guard))
                )
            self._acts[action] = one = self._unbound[action]
            if given := self._given:
                self._acts[action] = one._replace(guard=partial(one.guard, *given), after=partial(one.after, *given))
        return self._acts[action]

    @property
    def _given(self) -> Values:
        """Values of the limits, if they are arguments of the functions."""
        return tuple(map(number, vars(self.limits).values())) if self._free else ()

    def _turn(self, action: str) -> Turn[Any]:
        state, choices = self.machine.state.symbols(), self.machine.choices.symbols("c.")
        limits = type(self.limits).symbols("lim.") if self._free else self.limits
        if self.encoding is None:
            return self.machine.turn(action, self.client, state, choices, limits)
        turn: Turn[Any] = act_of(self.encoding, action)(state, choices, limits)
        return turn

    def _normal(self, state: Record) -> Iterator[smt.Term]:
        known, truths, made = variables(type(state)), flags(type(state)), vars(state.terms())
        for name in self.names:
            value, one, flag = made[name], known[name], name in truths
            if one.ghost and name not in self.kept:
                yield smt.BoolVal(False) if flag else smt.IntVal(0)
            elif one.matters is None or name in self.kept:
                yield value
            else:
                matters = one.matters(state)
                yield smt.If(term(matters), value, smt.BoolVal(False) if flag else smt.IntVal(0))

    def values(self, state: Record) -> Values:
        """Return the values of a state of numbers."""
        own = vars(state)
        return tuple(map(int, self._values(own.get("now", 0), *(own[name] for name in self.names))))

    @cached_property
    def _values(self) -> Callable[..., tuple[int | bool, ...]]:
        return compile_exact(("now", *self.names), *self._normal(self.machine.state.symbols()))

    def settled(self, values: Values) -> Values:
        """Return the values between two events."""
        if not self.passing:
            return values
        left = [*values]
        for place in self.passing:
            left[place] = 0
        return tuple(left)

    def record(self, values: Values, now: int) -> Any:
        """Return the state with these values as a record."""
        key = values, now if self.timed else 0
        if key not in self._records:
            if len(self._records) > MOST_RECORDS:
                self._records.clear()
            made = {name: kind(value) for name, kind, value in zip(self.names, self.kinds, values, strict=True)}
            self._records[key] = self.machine.state._of({**made, "now": now} if self.timed else made)
        return self._records[key]

    def another(self, values: Values, own: int, given: Mapping[str, int]) -> Values:
        """Return the values of copy ``own`` in its first state, apart from ``given`` and the shared fields."""
        if self._first is None:
            self._first = self.values(
                self.machine.begun(self.limits, self.client, **({"now": 0} if self.timed else {}))
            )
        made = [*self._first]
        for name, value in given.items():
            made[self.names.index(name)] = value
        for place in self._shared:
            made[place] = number(seen_as(values[place], own)) if place in self._naming else values[place]
        return tuple(made)

    def acted(self, values: Values, after: Values, own: int) -> Values:
        """Return the machine's values after copy ``own`` has changed the shared fields, as ``after`` has them."""
        made = [*values]
        for place in self._shared:
            made[place] = number(numbered(values[place], after[place], own)) if place in self._naming else after[place]
        return tuple(made)

    def chosen(self, action: str, given: Mapping[str, int]) -> Sequence[Values]:
        """Return all values of an action's choices: flags that are not given are tried with both values."""
        key = action, *given.items()
        if key not in self._chosen:
            known = flags(self.machine.choices)
            left = [one for one in self.machine.actions[action].choices if one not in given and one in known]
            tried = (dict(zip(left, values, strict=True)) for values in product((0, 1), repeat=len(left)))
            made = [{**given, **one} for one in tried]
            self._chosen[key] = [tuple(int(one.get(name, 0)) for name in self.choices) for one in made]
        return self._chosen[key]

    def why_not(self, action: str, values: Values, now: int, choices: Values) -> str:
        """Return the false conjuncts of an action's guard as text."""
        found = []
        for part in self.act(action).parts:
            used = dict(zip(self._arguments, (*self._given, now, *values, *choices), strict=True))
            (holds,) = compile_exact(tuple(used), part)(*used.values())
            if not holds:
                found.append(str(part))
        return f"{' and '.join(found) or 'its guard'} is false"


def _flat(part: smt.BoolTerm) -> Iterator[smt.BoolTerm]:
    if part.kind == operators.AND:
        for one in part.children:
            yield from _flat(one)
    else:
        yield part
