"""Assumptions about a machine's environment: each declared once, and combined in sets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Self

from rebalance_proofs.model.machine.record import C, L, S
from rebalance_proofs.model.machine.values import And, Bool
from rebalance_proofs.model.machine.world import MachineWorld


@dataclass(frozen=True, eq=False)
class Premise(Generic[S, C, L]):
    """An assumption: its words, and what it excludes."""

    sentence: str
    """The assumption, as a noun phrase."""
    name: str = field(default="", kw_only=True)
    """Name, in claim ids, of a set of assumptions that drops it."""
    otherwise: str = field(default="", kw_only=True)
    """The effect without it, to follow "even if"."""
    excludes: tuple[str, ...] = field(default=(), kw_only=True)
    """Actions that never happen."""
    allows: Mapping[str, Callable[[S, C, L], Bool]] = field(default_factory=dict, kw_only=True)
    """Action -> the condition ``(state, choices, limits)`` under which it may happen."""
    dropped: Mapping[str, Callable[[S, C, L], Bool]] = field(default_factory=dict, kw_only=True)
    """Action -> the condition under which it may happen if the assumption is dropped."""


@dataclass(frozen=True)
class Assumptions(MachineWorld[S, C, L]):
    """A set of assumptions: all hold, or all but one.

    A page derives its own class, whose ``kind`` is the page's name, and whose ``waits`` restricts the time.
    """

    declared: tuple[Premise[S, C, L], ...] = ()
    """All assumptions, including the dropped one."""
    row: str = ""
    """Words in tables: ``if no wake-up is lost``. Unused if an assumption is dropped."""
    meaning: str = ""
    """Definition of words in ``when``."""

    @classmethod
    def of(cls, name: str, *declared: Premise[S, C, L], row: str = "", when: str = "", meaning: str = "") -> Self:
        """Return a set of assumptions that all hold; ``name`` is its name in claim ids."""
        sentences = tuple(one.sentence for one in declared)
        return cls(name, sentences, when=when, declared=declared, row=row, meaning=meaning)

    def dropping(self, premise: Premise[S, C, L]) -> Self:
        """Return the same set in which one assumption is dropped.

        Raises ``ValueError`` if the set does not have the assumption.
        """
        if premise not in self:
            raise ValueError(f"{self.name} has no assumption {premise.sentence!r}")
        told = premise.otherwise
        return replace(self, name=premise.name, otherwise=told, drops=premise.sentence, when="", row="")

    def __contains__(self, premise: Premise[S, C, L]) -> bool:
        """Return whether an assumption is made, and not dropped."""
        return premise in self.made

    @cached_property
    def made(self) -> tuple[Premise[S, C, L], ...]:
        """All assumptions except the dropped one."""
        return tuple(one for one in self.declared if one is not self.gone)

    @cached_property
    def gone(self) -> Premise[S, C, L] | None:
        """The dropped assumption, if there is one."""
        return next((one for one in self.declared if one.sentence == self.drops), None)

    @property
    def defines(self) -> tuple[str, ...]:
        return (self.meaning,) if self.meaning else ()

    @property
    def excludes(self) -> Mapping[str, str]:
        return {action: one.sentence for one in self.made for action in one.excludes}

    @property
    def restricts(self) -> tuple[str, ...]:
        """The actions that may happen in some states only."""
        return tuple(dict.fromkeys(action for one in self._conditions for action in one))

    @property
    def _conditions(self) -> list[Mapping[str, Callable[[S, C, L], Bool]]]:
        return [*(one.allows for one in self.made), *([self.gone.dropped] if self.gone else [])]

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        return And(*(one[action](state, choices, limits) for one in self._conditions if action in one))
