"""State machines: records, a first state, and actions, each one function that runs on numbers and on terms alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import cache, cached_property, partial
from typing import Any, Generic

from rebalance_proofs.model.machine.record import C, L, Record, S, V
from rebalance_proofs.model.machine.values import And, Bool, Value

__all__ = ["ENVIRONMENT", "MACHINE", "Act", "Action", "Actions", "Machine", "Step", "Turn", "act_of", "becomes", "step"]

MACHINE, ENVIRONMENT = 0, 1
"""Who does something: the machine itself, or anybody else."""
Step = tuple[Bool, Mapping[str, Value]]
"""Whether an action is possible in a state, and the fields that have other values after it."""
Effect = Callable[[S, C, L, V], Step]
"""``effect(state, choices, limits, variant)``; the variant is the client, as far as clients differ."""
Story = Callable[[S, S, C, V], str]
"""``story(before, after, choices, variant)``: what has happened, as a sentence without its full stop."""


def step(guard: Bool, **changes: Value) -> Step:
    """``step(s.at == LOOKS, at=WAITS)``."""
    return guard, changes


def becomes(guard: Bool, after: Record) -> Step:
    """The same with the whole state after it, whose time says nothing."""
    return guard, {name: value for name, value in vars(after).items() if name != "now"}


@dataclass(frozen=True)
class Action(Generic[S, C, L, V]):
    """What the machine, or its environment, can do."""

    name: str
    sentence: str
    effect: Effect[S, C, L, V]
    story: Story[S, C, V]
    choices: tuple[str, ...]
    """The fields of the machine's choices that it leaves open."""
    by: int
    """``MACHINE`` or ``ENVIRONMENT``."""
    has: Callable[[V], bool]
    """Whether that variant has the action at all."""


class Actions(Generic[S, C, L, V]):
    """Those of one machine, in the order in which they are declared."""

    def __init__(self) -> None:
        self._known: list[Action[S, C, L, V]] = []

    def __call__(
        self,
        sentence: str,
        story: str | Story[S, C, V] = "",
        *,
        choices: tuple[str, ...] = (),
        by: int = MACHINE,
        has: Callable[[V], bool] = lambda variant: True,
    ) -> Callable[[Effect[S, C, L, V]], Effect[S, C, L, V]]:
        """Declares a function as an action, by its name. ``story``: where it is not the sentence."""
        told = story if callable(story) else _always(story or sentence.removesuffix("."))

        def declare(effect: Effect[S, C, L, V]) -> Effect[S, C, L, V]:
            self._known.append(Action(effect.__name__, sentence, effect, told, choices, by, has))
            return effect

        return declare

    def __iter__(self) -> Iterator[Action[S, C, L, V]]:
        return iter(self._known)


def _always(words: str) -> Callable[[object, object, object, object], str]:
    return lambda before, after, choices, variant: words


@dataclass(frozen=True)
class Turn(Generic[S]):
    """One action in one state."""

    can: Bool
    """It is possible."""
    after: S

    def but(self, **changes: Value) -> "Turn[S]":
        """The same with these fields after it."""
        return Turn(self.can, self.after.but(**changes))


Act = Callable[[S, C, L], Turn[S]]
"""An action of one variant: ``act(state, choices, limits)``."""


@dataclass(frozen=True, eq=False)
class Machine(Generic[S, C, L, V]):
    """Everything that can happen to it. Two variants of a machine differ in what its functions ask of them."""

    state: type[S]
    choices: type[C]
    limits: type[L]
    first: Callable[[S, L, V], S]
    """``first(blank, limits, variant)``: the first state, from one in which nothing is so and every time is now."""
    declared: Iterable[Action[S, C, L, V]]
    well_formed: Callable[[S, L], Bool] | None = None
    """``well_formed(state, limits)``: how a state is written. It is a part of every invariant."""
    open: Mapping[str, bool] = field(default_factory=dict)
    """Fields that ``first`` finds in the blank state, where runs have these values; proofs may have any."""
    parts: Mapping[str, Callable[[V], Any]] = field(default_factory=dict)
    """What else an encoding has, of a variant: of that, premises and lemmas speak."""

    @cached_property
    def actions(self) -> Mapping[str, Action[S, C, L, V]]:
        """By name, in the order of their declaration. Raises ``ValueError`` where two have one name."""
        found = {action.name: action for action in self.declared}
        if len(found) < len(list(self.declared)):
            raise ValueError("two actions have one name")
        return found

    def begun(self, limits: L, variant: V, **given: Value) -> S:
        """The first state; ``given``: fields that the blank one has."""
        return self.first(self.state.blank(**{**self.open, **given}), limits, variant)

    def turn(self, name: str, variant: V, state: S, choices: C, limits: L) -> Turn[S]:
        """One action, on numbers or on terms. One that the variant does not have is never possible."""
        guard, changes = self.step(name, variant, state, choices, limits)
        return Turn(guard, state.but(**changes))

    def step(self, name: str, variant: V, state: S, choices: C, limits: L) -> Step:
        """The same as what it changes."""
        action = self.actions[name]
        guard, changes = action.effect(state, choices, limits, variant)
        if "now" in changes:
            raise ValueError(f"{name} changes the time")
        return guard if action.has(variant) else And(guard, False), changes

    def encoding(self, variant: V) -> Any:
        """A record with an ``Act`` for each action, by its name; and the other parts."""
        acts = {name: partial(self.turn, name, variant) for name in self.actions}
        return _record_of_acts(self)(**acts, **{name: part(variant) for name, part in self.parts.items()})


def act_of(encoding: Any, name: str) -> Act[Any, Any, Any]:
    """An encoding's part by its name."""
    act: Act[Any, Any, Any] = getattr(encoding, name)
    return act


@cache
def _record_of_acts(machine: Machine[Any, Any, Any, Any]) -> type:
    acts = {"acts": tuple(machine.actions)}
    return make_dataclass("Encoding", [*machine.actions, *machine.parts], frozen=True, namespace=acts)
