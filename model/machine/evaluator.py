"""A machine run forward on numbers: one action after the other, as a trace says, or all that can happen next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Generic

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.record import C, L, S, Timed, V, flags
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.possible import Impossible, need

__all__ = ["Evaluator", "Event", "Unexplained"]


@dataclass(frozen=True)
class Event:
    """What a trace says of one action."""

    action: str
    at: int = 0
    """ms; of a machine without a clock it says nothing."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """As far as they are known."""
    seen: Mapping[str, int] = field(default_factory=dict)
    """Fields of the state after it, as far as they were seen."""


class Unexplained(Exception):
    """The machine cannot do what a trace says: the place of the event, from 0, and the event."""


@dataclass(frozen=True)
class Evaluator(Generic[S, C, L, V]):
    """A machine of one variant, with limits that are numbers."""

    machine: Machine[S, C, L, V]
    variant: V
    limits: L
    tried: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Of choices that are numbers, those that are tried where an event does not tell one."""

    def first(self) -> S:
        """At 0 ms."""
        return self.machine.begun(self.limits, self.variant)

    def step(self, state: S, action: str, at: int = 0, choices: Mapping[str, int] = MappingProxyType({})) -> S:
        """The state after the action at that time; what is not chosen is false, or 0.

        Raises ``Impossible`` where the machine does not do that then. Whether time can pass until then says a world.
        """
        need(not isinstance(state, Timed) or truth(at >= state.now))
        chosen = self.machine.choices.blank(**choices)
        turn = self.machine.turn(action, self.variant, state.at_time(at), chosen, self.limits)
        need(truth(turn.can))
        return turn.after

    def enabled(self, state: S, at: int = 0) -> Iterator[tuple[Event, S]]:
        """Each action with its choices that is possible at that time, and the state after it."""
        for action in self.machine.actions:
            yield from self._after(state, Event(action, at))

    def explain(self, events: Iterable[Event]) -> list[S]:
        """The states in which the machine can be after these events. Raises ``Unexplained`` where there is none."""
        states = [self.first()]
        for place, event in enumerate(events):
            states = list(dict.fromkeys(after for state in states for _, after in self._after(state, event)))
            if not states:
                raise Unexplained(place, event)
        return states

    def _after(self, state: S, event: Event) -> Iterator[tuple[Event, S]]:
        left = [name for name in self.machine.actions[event.action].choices if name not in event.choices]
        known = flags(self.machine.choices)
        for values in product(*((False, True) if name in known else self.tried[name] for name in left)):
            choices = {**event.choices, **dict(zip(left, values, strict=True))}
            try:
                after = self.step(state, event.action, event.at, choices)
            except Impossible:
                continue
            if all(getattr(after, name) == value for name, value in event.seen.items()):
                yield Event(event.action, event.at, choices), after
