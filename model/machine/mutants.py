"""Hand-written mutants of a machine: wrong actions, which claims must reject."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.terms.mutant import Mutant


@dataclass(frozen=True)
class Wrong(Generic[S, C, L, V]):
    """A mutant where one action, several actions or all actions are wrong."""

    name: str
    sentence: str
    edit: Callable[[S, C, L, Turn[S]], Turn[S]]
    """``edit(before, choices, limits, turn)`` returns the wrong result of an action.

    ``turn`` is the right result: guard and successor state.
    """
    action: str | tuple[str, ...] = ""
    """Names of the actions to edit; empty for every action."""
    breaks: str = ""
    """Name of the guarantee that must reject the mutant (``Mutant.breaks``)."""
    of: Callable[[V], bool] = lambda variant: True
    """``of(variant)``: whether the mutant applies to this client."""
    takes_for: Callable[[S], S] = lambda state: state
    """``takes_for(state)`` returns a wrong state, on which the right action then runs."""

    def mutant(self, right: Any) -> Mutant:
        """Return the mutant, given the right encoding."""
        named = (self.action,) if isinstance(self.action, str) else self.action
        actions = named if self.action else right.acts
        wrong = {name: self._wrong(act_of(right, name)) for name in actions}
        return Mutant(self.name, self.sentence, replace(right, **wrong), self.breaks)

    def _wrong(self, right: Act[S, C, L]) -> Act[S, C, L]:
        return lambda state, choices, limits: self.edit(
            state, choices, limits, right(self.takes_for(state), choices, limits)
        )


@dataclass(frozen=True)
class WrongParts(Generic[V]):
    """A mutant where other parts of an encoding than actions are wrong (``Machine.parts``)."""

    name: str
    sentence: str
    wrong: Callable[[Any], Mapping[str, Any]]
    """``wrong(right)`` returns the wrong parts by name; ``right`` is the right encoding."""
    breaks: str = ""
    of: Callable[[V], bool] = lambda variant: True

    def mutant(self, right: Any) -> Mutant:
        """Return the mutant, given the right encoding."""
        return Mutant(self.name, self.sentence, replace(right, **self.wrong(right)), self.breaks)
