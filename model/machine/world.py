"""Sets of assumptions of claims about machines.

They exclude actions, restrict actions to some states, and limit the passing of time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self

from rebalance_proofs.model.machine.record import C, L, S
from rebalance_proofs.model.machine.values import And, Bool, Int


def listed(phrases: Iterable[str]) -> str:
    """Return noun phrases as one sentence: ``No broker restart; no connection loss.``"""
    joined = "; ".join(phrases)
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""


@dataclass(frozen=True)
class Premised:
    """Assumptions of claims about runs: all of a list, all but one, or others instead."""

    name: str
    premises: tuple[str, ...]
    """The assumptions, as noun phrases, including the dropped one."""
    otherwise: str = ""
    """The unusual event that is allowed, as a phrase after "even if"."""
    drops: str = field(default="", kw_only=True)
    """The dropped assumption; empty if all hold."""
    when: str = field(default="", kw_only=True)
    """A condition that ends claim sentences: ``, if nothing is committed``.

    It distinguishes claims that are otherwise equal.
    """
    definitions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Phrases of ``premises`` and ``when`` that need a definition -> that definition."""
    subjects: ClassVar[int] = 1
    kind: ClassVar[str]

    @property
    def dropped(self) -> bool:
        """Return whether an assumption is dropped."""
        return bool(self.drops)

    @property
    def assumes(self) -> tuple[str, ...]:
        """Return the assumptions, without the dropped one."""
        return tuple(one for one in self.premises if one != self.drops)

    @property
    def defines(self) -> tuple[str, ...]:
        """Return definitions of words in the assumptions and in ``when``.

        The definitions for a dropped assumption are included.
        """
        return tuple(self.definitions[one] for one in (*self.premises, self.when) if one in self.definitions)

    @property
    def sentence(self) -> str:
        """Return the assumptions and definitions as a sentence.

        If an assumption is dropped, the sentence contains only that one.
        """
        return listed((self.drops,) if self.drops else (*self.premises, *self.defines))

    @property
    def even_if(self) -> str:
        """Return the unusual event that is allowed; empty if there is none."""
        return self.otherwise

    @property
    def without(self) -> str:
        """Return the effect of the dropped assumption, as a sentence.

        Empty if ``otherwise`` is.
        """
        return f"Without it, {self.otherwise}." if self.otherwise else ""


@dataclass(frozen=True)
class MachineWorld(Premised, Generic[S, C, L]):
    """A set of assumptions about a machine's environment.

    Each kind of claims derives its own class; methods run on numbers and on terms.
    """

    @property
    def excludes(self) -> Mapping[str, str]:
        """Return excluded actions, each with the assumption that excludes it.

        The assumption is worded as in ``premises``.
        """
        return {}

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether the assumptions permit an action that is not in ``excludes``.

        The action's guard is not checked here.
        """
        return True

    def waits(self, state: S, until: Int, limits: L) -> Bool:
        """Return whether time can pass until ``until``: no event is due before.

        Always true for a machine without a clock.
        """
        return True

    def given(self, limits: L) -> dict[str, Bool]:
        """Return the assumptions about the limits, by sentence."""
        return {"no limit is negative": And(*(limit >= 0 for limit in vars(limits).values()))}

    @property
    def twins(self) -> bool:
        """Return whether two consumers have the same client id, so that they seem to be one."""
        return False

    def beside(self, encoding: Any) -> Self:
        """Return these assumptions with access to the client's encoding (``Machine.parts``).

        They can then depend on the client's own behaviour.
        """
        return self

    def first(self, state: S, limits: L) -> S:
        """Return the first state under these assumptions, made from the machine's first state."""
        return state

    def isolated(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return an extra condition on actions in runs, which proofs do not assume.

        In a run, only the copies (consumers) of the run exist.
        """
        return True

    def lets(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether an action can happen in a run: it is permitted, and ``isolated`` holds."""
        return And(self.permits(action, state, choices, limits), self.isolated(action, state, choices, limits))

    def permits(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether the assumptions permit an action: not excluded, and allowed in this state."""
        return False if action in self.excludes else self.allows(action, state, choices, limits)
