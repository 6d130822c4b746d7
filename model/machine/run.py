"""A run of a client's code, with the states that it passed through."""

from dataclasses import dataclass
from typing import Any, Generic

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.values import Int, number


@dataclass(frozen=True)
class Seen(Generic[S]):
    """One step of a run: an action, and the state after it."""

    at: int
    """Time of the action since the start of the run, in ms; 0 without a clock."""
    happens: Happens
    states: tuple[S, ...]
    """The state from the viewpoint of each copy (consumer)."""

    @property
    def state(self) -> S:
        """Return the state of the first copy (consumer)."""
        return self.states[0]


@dataclass(frozen=True)
class Run(Generic[S, L]):
    """A run of the client's code: assumptions and limits, the first state, and all steps."""

    client: Any
    world: Any
    limits: L
    first: S
    seen: tuple[Seen[S], ...]

    @property
    def end(self) -> S:
        """Return the last state; with several copies, that of the first copy."""
        return self.ends[0]

    @property
    def ends(self) -> tuple[S, ...]:
        """Return the last state of each copy."""
        return self.seen[-1].states if self.seen else (self.first,)


def seconds(ms: Int) -> str:
    """Return a time of a run as text in seconds: ``20.001 s``. Raises ``TypeError`` for a term."""
    return f"{number(ms) / 1000:,.3f} s"
