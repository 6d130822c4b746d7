"""Wrong encodings of a machine that are made by hand: an action, or every one, that is wrong in one thing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["Wrong", "WrongParts"]


@dataclass(frozen=True)
class Wrong(Generic[S, C, L, V]):
    """A mistake."""

    name: str
    sentence: str
    edit: Callable[[S, C, L, Turn[S]], Turn[S]]
    """``edit(before, choices, limits, turn)``: what becomes of what the right action makes of that state."""
    action: str = ""
    """Empty for every action."""
    breaks: str = ""
    """The guarantee that has to notice it (``Mutant.breaks``)."""
    of: Callable[[V], bool] = lambda variant: True
    """Whether it is a mistake of that variant."""
    takes_for: Callable[[S], S] = lambda state: state
    """The state that the right action takes it for."""

    def mutant(self, right: Any) -> Mutant:
        """Made of the right encoding."""
        actions = [self.action] if self.action else right.acts
        wrong = {name: self._wrong(act_of(right, name)) for name in actions}
        return Mutant(self.name, self.sentence, replace(right, **wrong), self.breaks)

    def _wrong(self, right: Act[S, C, L]) -> Act[S, C, L]:
        return lambda state, choices, limits: self.edit(
            state, choices, limits, right(self.takes_for(state), choices, limits)
        )


@dataclass(frozen=True)
class WrongParts(Generic[V]):
    """A mistake in what an encoding has besides actions (``Machine.parts``)."""

    name: str
    sentence: str
    wrong: Callable[[Any], Mapping[str, Any]]
    """``wrong(right)``: by name, what is in the place of an encoding's parts."""
    breaks: str = ""
    of: Callable[[V], bool] = lambda variant: True

    def mutant(self, right: Any) -> Mutant:
        """Made of the right encoding."""
        return Mutant(self.name, self.sentence, replace(right, **self.wrong(right)), self.breaks)
