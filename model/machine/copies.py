"""Several copies of a machine at once, and what they share: each sees itself as one, and whoever else as another."""

from dataclasses import dataclass
from typing import Generic

from rebalance_proofs.model.machine.record import S, naming, shared
from rebalance_proofs.model.machine.values import If, Int

__all__ = ["ME", "NOBODY", "OTHER", "Copies", "numbered", "of_another", "seen_as"]

NOBODY, ME, OTHER = 0, 1, 2
"""Whom a field names, from the viewpoint of the copy that acts."""


def seen_as(named: Int, own: int) -> Int:
    """From a copy's viewpoint, whom a number names: nobody is 0, each copy a number from 1 on, ``own`` is its own."""
    return If(named == NOBODY, NOBODY, If(named == own, ME, OTHER))


def numbered(before: Int, after: Int, own: int) -> Int:
    """The number of whom the copy names ``after`` it has acted: whoever else was named before still is."""
    return If(after == ME, own, If(after == OTHER, before, NOBODY))


@dataclass(frozen=True)
class Copies(Generic[S]):
    """All of them in one moment."""

    states: tuple[S, ...]
    """What they share is the same in each; whoever is named there is a number."""
    numbers: tuple[int, ...]
    """Each copy's own; two with one number take each other for themselves."""

    @classmethod
    def begun(cls, first: S, count: int, *, twins: bool = False) -> "Copies[S]":
        """So many, each in its first state. ``twins``: all have one number."""
        return cls((first,) * count, (ME,) * count if twins else tuple(range(ME, ME + count)))

    @property
    def views(self) -> tuple[S, ...]:
        """The state of each, as it sees it."""
        return tuple(map(self.view, range(len(self.states))))

    def view(self, who: int) -> S:
        """The state of one, as it sees it."""
        state, own = self.states[who], self.numbers[who]
        named = {name: seen_as(getattr(state, name), own) for name in naming(type(state))}
        return state.but(**named) if named else state

    def acted(self, who: int, after: S) -> "Copies[S]":
        """The same when one has come to that state, as it sees it."""
        before, own = self.states[who], self.numbers[who]
        names = naming(type(after))
        named = {name: numbered(getattr(before, name), getattr(after, name), own) for name in names}
        return self.changed(who, after.but(**named) if named else after)

    def changed(self, who: int, after: S) -> "Copies[S]":
        """The same with that state of one, in which whoever is named is a number."""
        told = {name: getattr(after, name) for name in shared(type(after))}
        others = (one.but(**told) if told else one for one in self.states)
        return Copies(tuple(after if place == who else one for place, one in enumerate(others)), self.numbers)

    def at_time(self, now: Int) -> "Copies[S]":
        """The same at that time."""
        return Copies(tuple(state.at_time(now) for state in self.states), self.numbers)


def of_another(named: Int, others: Int) -> Int:
    """From another's viewpoint, whom a copy names; ``others``: who that is for it where the copy names another."""
    return If(named == ME, OTHER, If(named == NOBODY, NOBODY, others))
