"""Assumptions about a machine's environment: each declared once, and combined in sets."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import count
from typing import Any, ClassVar, Generic, Self

from rebalance_proofs.model.machine.record import C, L, S, Timed
from rebalance_proofs.model.machine.values import And, Bool, Int, Not
from rebalance_proofs.model.machine.world import MachineWorld


@dataclass(frozen=True, eq=False)
class Premise(Generic[S, C, L]):
    """An assumption: its words, and what it excludes."""

    sentence: str
    """The assumption, as a noun phrase.

    Empty if the sentences of claims need not state it, because it only excludes what other claims are about.
    """
    name: str = field(default="", kw_only=True)
    """Name, in claim ids, of a set of assumptions that drops it."""
    otherwise: str = field(default="", kw_only=True)
    """The effect without it, to follow "even if"."""
    meaning: str = field(default="", kw_only=True)
    """Definition of words in the sentence."""
    excludes: tuple[str, ...] = field(default=(), kw_only=True)
    """Actions that never happen."""
    never: tuple[str, ...] = field(default=(), kw_only=True)
    """Flags among the choices that no action sets."""
    allows: Mapping[str, Callable[[S, C, L], Bool]] = field(default_factory=dict, kw_only=True)
    """Action -> the condition ``(state, choices, limits)`` under which it may happen."""
    narrows: tuple[str, ...] = field(default=(), kw_only=True)
    """Actions that never happen if the assumption is dropped, because no shortest run that violates it needs them."""
    dropped: Mapping[str, Callable[[S, C, L], Bool]] = field(default_factory=dict, kw_only=True)
    """Action -> the condition under which it may happen if the assumption is dropped."""
    asks: Mapping[str, Callable[[Any, S, C, L], Bool]] = field(default_factory=dict, kw_only=True)
    """Like ``allows``, for conditions that depend on the client.

    The first argument is the client's encoding, which has ``Machine.parts``.
    """
    waits: Callable[[Any, S, Int, L], Bool] | None = field(default=None, kw_only=True)
    """``waits(encoding, state, until, limits)``: whether time may pass until ``until``."""
    limits: Mapping[str, Callable[[L], Bool]] = field(default_factory=dict, kw_only=True)
    """Conditions on the limits, by sentence; a proof of an invariant may use them after its first state."""
    place: int = field(default_factory=count().__next__, init=False)
    """Number of the declaration, from the first one of all pages on."""

    @property
    def actions(self) -> frozenset[str] | None:
        """The actions that the assumption concerns; None if it also concerns time or limits."""
        if self.waits or self.limits:
            return None
        return frozenset((*self.excludes, *self.allows, *self.dropped, *self.asks))


def _sentences(declared: Iterable[Premise[Any, Any, Any]]) -> tuple[str, ...]:
    return tuple(one.sentence for one in declared if one.sentence)


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
    encoding: Any = None
    """Encoding of the client that the assumptions are about; None until an assumption is evaluated."""
    as_declared: ClassVar[bool] = False
    """Whether formulas state conditions in order of declaration, not in the order of the set."""

    @classmethod
    def of(
        cls, name: str, *declared: Premise[S, C, L], row: str = "", when: str = "", meaning: str = "", **more: Any
    ) -> Self:
        """Return a set of assumptions that all hold; ``name`` is its name in claim ids.

        ``more``: values of the page's own fields.
        """
        return cls(name, _sentences(declared), when=when, declared=declared, row=row, meaning=meaning, **more)

    def assuming(self, *declared: Premise[S, C, L], **changed: Any) -> Self:
        """Return the same set with other assumptions; ``changed``: further fields."""
        return replace(self, premises=_sentences(declared), declared=declared, **changed)

    def dropping(self, premise: Premise[S, C, L]) -> Self:
        """Return the same set in which one assumption is dropped.

        Raises ``ValueError`` if the set does not have the assumption.
        """
        if premise not in self:
            raise ValueError(f"{self.name} has no assumption {premise.sentence!r}")
        told = premise.otherwise
        return replace(self, name=premise.name, otherwise=told, drops=premise.sentence, when="", row="")

    def beside(self, encoding: Any) -> Self:
        return replace(self, encoding=encoding) if any(one.asks or one.waits for one in self.declared) else self

    def touches(self, action: str, other: "Assumptions[S, C, L]") -> bool:
        """Return whether the action may differ under other assumptions about the same machine."""
        some = {*self.made} ^ {*other.made}
        return any(one.actions is None or action in one.actions for one in some)

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
        return next((one for one in self.declared if self.drops and one.sentence == self.drops), None)

    @property
    def defines(self) -> tuple[str, ...]:
        return tuple(one for one in (*(premise.meaning for premise in self.declared), self.meaning) if one)

    @property
    def excludes(self) -> Mapping[str, str]:
        narrowed = dict.fromkeys(self.gone.narrows, self.gone.otherwise) if self.gone else {}
        return {action: one.sentence for one in self.made for action in one.excludes} | narrowed

    @property
    def never(self) -> tuple[str, ...]:
        """The choices that no action sets."""
        return tuple(name for one in self.made for name in one.never)

    @property
    def restricts(self) -> tuple[str, ...]:
        """The actions that may happen in some states only."""
        return tuple(dict.fromkeys(action for one in self._ordered for action in self._conditions(one)))

    @cached_property
    def _ordered(self) -> list[Premise[S, C, L]]:
        last = [self.gone] if self.gone else []
        return sorted(self.declared, key=lambda one: one.place) if self.as_declared else [*self.made, *last]

    def _conditions(self, one: Premise[S, C, L]) -> Mapping[str, Callable[[S, C, L], Bool]]:
        return one.dropped if one is self.gone else {**one.allows, **self._asked(one)}

    def conditions(self, action: str, state: S, choices: C, limits: L) -> list[Bool]:
        """Return the conditions under which an action may happen."""
        found: list[Bool] = []
        for one in self._ordered:
            found += [Not(getattr(choices, name)) for name in one.never if one is not self.gone]
            conditions = self._conditions(one)
            found += [conditions[action](state, choices, limits)] if action in conditions else []
        return found

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        return And(*self.conditions(action, state, choices, limits))

    def _asked(self, one: Premise[S, C, L]) -> dict[str, Callable[[S, C, L], Bool]]:
        return {action: partial(asks, self.encoding) for action, asks in one.asks.items()}

    def waits(self, state: S, until: Int, limits: L) -> Bool:
        onward = (until >= state.now,) if isinstance(state, Timed) else ()
        return And(*onward, self.undue(state, until, limits))

    def undue(self, state: S, until: Int, limits: L) -> Bool:
        """Return whether the assumptions about time permit that it passes until ``until``."""
        return And(*(one.waits(self.encoding, state, until, limits) for one in self.made if one.waits))

    def asked(self, limits: L) -> dict[str, Bool]:
        """Return the conditions on the limits, by sentence."""
        return {words: so(limits) for one in self.made for words, so in one.limits.items()}
