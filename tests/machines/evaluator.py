"""Run a machine on numbers: follow a trace, or list all possible next steps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Generic

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.record import C, L, S, Timed, V, flags
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.possible import Impossible, need


@dataclass(frozen=True)
class Event:
    """One step of a recorded trace: an action of the machine, as far as it is known."""

    action: str
    at: int = 0
    """Time in ms; ignored by a machine without a clock."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """Values of the action's nondeterministic choices, as far as they are known."""
    seen: Mapping[str, int] = field(default_factory=dict)
    """Values of the successor state's fields, as far as they were observed."""


class Unexplained(Exception):
    """Raised if a machine cannot perform an event of a trace.

    Arguments: the event's index, from 0, and the event.
    """


@dataclass(frozen=True)
class Evaluator(Generic[S, C, L, V]):
    """Runs one variant of a machine on Python numbers, with given limits."""

    machine: Machine[S, C, L, V]
    variant: V
    limits: L
    tried: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """For each numeric choice, the values to try if an event does not give one."""

    def first(self) -> S:
        """The machine's first state, at 0 ms."""
        return self.machine.begun(self.limits, self.variant)

    def step(self, state: S, action: str, at: int = 0, choices: Mapping[str, int] = MappingProxyType({})) -> S:
        """Return the state after an action at a time in ms; missing choices are false or 0.

        Raises ``Impossible`` if the action's guard does not hold. This method does not decide whether time may
        pass until then.
        """
        need(not isinstance(state, Timed) or truth(at >= state.now))
        chosen = self.machine.choices.blank(**choices)
        turn = self.machine.turn(action, self.variant, state.at_time(at), chosen, self.limits)
        need(truth(turn.guard))
        return turn.after

    def enabled(self, state: S, at: int = 0) -> Iterator[tuple[Event, S]]:
        """Yield each possible action at a time, with its choices and successor state."""
        for action in self.machine.actions:
            yield from self._after(state, Event(action, at))

    def explain(self, events: Iterable[Event]) -> list[S]:
        """Return all possible states of the machine after these events of a trace.

        Raises ``Unexplained`` if there is none.
        """
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
