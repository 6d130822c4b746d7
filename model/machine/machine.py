"""State machines: records, a first state, and actions that run on numbers and on terms."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import cache, cached_property, partial
from typing import Any, Generic

from rebalance_proofs.model.machine.record import C, L, Record, S, V
from rebalance_proofs.model.machine.values import And, Bool, Value, term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify

MACHINE, ENVIRONMENT = 0, 1
"""Performer of an action: the machine itself, or its environment."""
Step = tuple[Bool, Mapping[str, Value]]
"""An action's guard (whether it is possible), and the new values of the fields it changes."""
Effect = Callable[[S, C, L, V], Step]
"""``effect(state, choices, limits, variant)`` returns an action's guard and changed fields.

The variant is the client; actions use it where clients differ.
"""
Story = Callable[[S, S, C, V], str]
"""``story(before, after, choices, variant)`` returns the text of a performed step.

The text has no full stop.
"""


def step(guard: Bool, **changes: Value) -> Step:
    """Return an action's guard and changes, as in ``step(s.at == LOOKS, at=WAITS)``."""
    return guard, changes


def becomes(guard: Bool, after: Record) -> Step:
    """Return an action's guard, and all fields of the state ``after`` it except the time."""
    return guard, {name: value for name, value in vars(after).items() if name != "now"}


def but(done: Step, **changes: Value) -> Step:
    """Return an action's step with further changed fields; they replace fields of the same name."""
    return done[0], {**done[1], **changes}


def by_terms(effect: Effect[S, C, L, V]) -> Effect[S, C, L, V]:
    """Return an action of SMT terms that also runs on Python numbers, for an action that calls an SMT encoding."""

    def does(state: S, choices: C, limits: L, variant: V) -> Step:
        guard, changes = effect(state.terms(), choices.terms(), limits.terms(), variant)
        if any(smt.is_expr(value) for record in (state, choices, limits) for value in vars(record).values()):
            return guard, changes
        return bool(_known(term(guard))), {name: _known(value) for name, value in changes.items()}

    does.__name__ = effect.__name__
    return does


def _known(value: Value) -> bool | int:
    found = simplify(value) if smt.is_expr(value) else value
    if isinstance(found, smt.Numeral):
        return found.number
    return smt.is_true(found) if smt.is_expr(found) else found


@dataclass(frozen=True)
class Action(Generic[S, C, L, V]):
    """A possible step of the machine or its environment, with its description for readers."""

    name: str
    sentence: str
    effect: Effect[S, C, L, V]
    story: Story[S, C, V]
    choices: tuple[str, ...]
    """Names of the fields in ``choices`` that the action reads."""
    by: int
    """Performer of the action: ``MACHINE`` or ``ENVIRONMENT``."""
    has: Callable[[V], bool]
    """``has(variant)``: whether this client has the action at all."""
    code: str = ""
    """Name of the method of the client's code that performs the action; empty for the action's own name."""
    anytime: bool = False
    """Whether the method can always be called, so that only the guard restricts the action."""


class Actions(Generic[S, C, L, V]):
    """Decorator that collects the actions of one machine, in order of declaration."""

    def __init__(self, suffix: str = "") -> None:
        """Begin without actions; ``suffix``: end of functions' names that is no part of their actions' names.

        It distinguishes the functions of several machines in one module.
        """
        self._known: list[Action[S, C, L, V]] = []
        self._suffix = suffix

    def __call__(
        self,
        sentence: str,
        story: str | Story[S, C, V] = "",
        *,
        choices: tuple[str, ...] = (),
        by: int = MACHINE,
        has: Callable[[V], bool] = lambda variant: True,
        code: str = "",
        anytime: bool = False,
    ) -> Callable[[Effect[S, C, L, V]], Effect[S, C, L, V]]:
        """Return a decorator that declares a function as an action, under the function's name.

        ``sentence``: a full sentence that is clear on its own. ``story``: the text of a printed step, if it differs.
        ``code``, ``anytime``: see ``Action``.
        """
        told = story if callable(story) else _always(story or sentence.removesuffix("."))

        def declare(effect: Effect[S, C, L, V]) -> Effect[S, C, L, V]:
            name = effect.__name__.removesuffix(self._suffix)
            self._known.append(Action(name, sentence, effect, told, choices, by, has, code, anytime))
            return effect

        return declare

    def __iter__(self) -> Iterator[Action[S, C, L, V]]:
        return iter(self._known)


def _always(words: str) -> Callable[[object, object, object, object], str]:
    return lambda before, after, choices, variant: words


@dataclass(frozen=True)
class Turn(Generic[S]):
    """The result of evaluating an action in one state: guard and successor state."""

    guard: Bool
    """Guard: whether the action is possible."""
    after: S

    def but(self, **changes: Value) -> "Turn[S]":
        """Return the same result with other values of these fields in the successor state."""
        return Turn(self.guard, self.after.but(**changes))


Act = Callable[[S, C, L], Turn[S]]
"""``act(state, choices, limits)`` returns an action's guard and successor state."""


@dataclass(frozen=True, eq=False)
class Machine(Generic[S, C, L, V]):
    """A state machine with all its actions.

    Its variants are the clients: actions call them where clients differ.
    """

    state: type[S]
    choices: type[C]
    limits: type[L]
    first: Callable[[S, L, V], S]
    """``first(blank, limits, variant)``: the first state.

    ``blank``: all flags are false and all numbers are the present time.
    """
    declared: Iterable[Action[S, C, L, V]]
    well_formed: Callable[[S, L], Bool] | None = None
    """``well_formed(state, limits)``: false for meaningless combinations of fields.

    It is a part of every invariant.
    """
    open: Mapping[str, bool] = field(default_factory=dict)
    """Fields whose initial value a proof may leave arbitrary, with their value in runs.

    They are set before ``first`` makes the first state.
    """
    parts: Mapping[str, Callable[[V], Any]] = field(default_factory=dict)
    """Further functions of a machine's encoding: for each name, a function of the variant.

    Assumptions and lemmas use them.
    """

    @cached_property
    def actions(self) -> Mapping[str, Action[S, C, L, V]]:
        """All actions by name, in order of declaration.

        Raises ``ValueError`` if two have the same name.
        """
        found = {action.name: action for action in self.declared}
        if len(found) < len(list(self.declared)):
            raise ValueError("two actions have one name")
        return found

    def begun(self, limits: L, variant: V, **given: Value) -> S:
        """Return the first state; ``given``: field values in the blank state that ``first`` gets."""
        return self.first(self.state.blank(**{**self.open, **given}), limits, variant)

    def turn(self, name: str, variant: V, state: S, choices: C, limits: L) -> Turn[S]:
        """Evaluate an action, on numbers or on terms, and return its guard and successor state.

        An action that the variant does not have is never possible.
        """
        try:
            guard, changes = self.step(name, variant, state, choices, limits)
            return Turn(guard, state.but(**changes))
        except TypeError as error:  # a mistake of the page: a misspelt field, or `and` of terms
            raise TypeError(f"the action {name!r} of {self.state.__name__}: {error}") from error

    def step(self, name: str, variant: V, state: S, choices: C, limits: L) -> Step:
        """Return an action's guard and changed fields, on numbers or on terms.

        Raises ``ValueError`` if the action changes the time.
        """
        action = self.actions[name]
        guard, changes = action.effect(state, choices, limits, variant)
        if "now" in changes:
            raise ValueError(f"{name} changes the time")
        return guard if action.has(variant) else And(guard, False), changes

    def encoding(self, variant: V) -> Any:
        """Return an object with each action and each further part as attributes, under their names."""
        acts = {name: partial(self.turn, name, variant) for name in self.actions}
        return _record_of_acts(self)(**acts, **{name: part(variant) for name, part in self.parts.items()})


def act_of(encoding: Any, name: str) -> Act[Any, Any, Any]:
    """Return the action of that name from an object that ``Machine.encoding`` has made."""
    act: Act[Any, Any, Any] = getattr(encoding, name)
    return act


@cache
def _record_of_acts(machine: Machine[Any, Any, Any, Any]) -> type:
    acts = {"acts": tuple(machine.actions)}
    return make_dataclass("Encoding", [*machine.actions, *machine.parts], frozen=True, namespace=acts)
