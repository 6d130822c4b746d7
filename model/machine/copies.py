"""Several copies of a machine, such as a group's consumers, that share the broker's fields.

From the viewpoint of one copy there are two parties: itself, and all other copies as another. A field can name a copy,
such as the owner of a lock.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.machine import Step
from rebalance_proofs.model.machine.record import L, S, naming, shared
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not

NOBODY, ME, OTHER = 0, 1, 2
"""Values of a field that names a copy, from one copy's viewpoint.

They mean no copy, that copy itself, and any other copy.
"""


def seen_as(named: Int, own: int) -> Int:
    """Translate the number of a copy into ``NOBODY``, ``ME`` or ``OTHER`` for copy ``own``.

    Copies are numbered from 1; 0 means no copy.
    """
    return If(named == NOBODY, NOBODY, If(named == own, ME, OTHER))


def numbered(before: Int, after: Int, own: int) -> Int:
    """Translate ``ME``, ``OTHER`` or ``NOBODY`` into a copy's number, after an action.

    ``after``: the field after an action of copy ``own``; ``OTHER`` means that the field is unchanged. ``before``:
    the number in the field before the action.
    """
    return If(after == ME, own, If(after == OTHER, before, NOBODY))


@dataclass(frozen=True)
class Copies(Generic[S]):
    """States of all copies of a machine at one moment."""

    states: tuple[S, ...]
    """One state for each copy. Shared fields are equal in all copies.

    Fields that name a copy hold its number.
    """
    numbers: tuple[int, ...]
    """Each copy's number. Copies with equal numbers represent clients with the same id."""

    @classmethod
    def begun(cls, first: S, count: int, *, twins: bool = False) -> "Copies[S]":
        """Return ``count`` copies in the first state.

        Their numbers differ. With ``twins``, all have the same number, as clients with the same id.
        """
        return cls((first,) * count, (ME,) * count if twins else tuple(range(ME, ME + count)))

    @property
    def views(self) -> tuple[S, ...]:
        """Each copy's state, in which fields that name a copy are from that copy's viewpoint."""
        return tuple(map(self.view, range(len(self.states))))

    def view(self, who: int) -> S:
        """The state of copy ``who``, in which fields that name a copy are from its viewpoint."""
        state, own = self.states[who], self.numbers[who]
        named = {name: seen_as(getattr(state, name), own) for name in naming(type(state))}
        return state.but(**named) if named else state

    def acted(self, who: int, after: S) -> "Copies[S]":
        """Return the copies after an action of copy ``who``.

        ``after``: the successor state that the action gives for this copy, from its viewpoint. Shared fields
        change in all copies.
        """
        before, own = self.states[who], self.numbers[who]
        names = naming(type(after))
        named = {name: numbered(getattr(before, name), getattr(after, name), own) for name in names}
        return self.changed(who, after.but(**named) if named else after)

    def changed(self, who: int, after: S) -> "Copies[S]":
        """Return the copies with another state of copy ``who``; its fields name copies by number."""
        told = {name: getattr(after, name) for name in shared(type(after))}
        others = (one.but(**told) if told else one for one in self.states)
        return Copies(tuple(after if place == who else one for place, one in enumerate(others)), self.numbers)

    def at_time(self, now: Int) -> "Copies[S]":
        """Return the same copies with another time in each state."""
        return Copies(tuple(state.at_time(now) for state in self.states), self.numbers)


def of_another(named: Int, others: Int) -> Int:
    """Translate a field that names a copy from one copy's viewpoint into another's.

    ``others``: value for the other copy if the first one names a copy other than itself.
    """
    return If(named == ME, OTHER, If(named == NOBODY, NOBODY, others))


@dataclass(frozen=True)
class Others(Generic[S, L]):
    """A change that other copies (consumers) may make to the shared fields.

    In rely-guarantee terms, an interference: a copy relies on it, and ``rely`` proves it of each copy.
    """

    name: str
    sentence: str
    words: str
    """Sentence for the assumption: when other copies make the change."""
    effect: Callable[[S, S, L, Bool], Step]
    """``effect(state, then, limits, mine)``: guard and changes, as the relying copy sees them.

    The guard mentions shared fields only; of the fields that are not shared, only ghosts may change. ``then``: a
    state whose shared fields have the new values for ``opens``. ``mine``: see ``owner``.
    """
    opens: tuple[str, ...] = ()
    """Shared fields whose new values are arbitrary."""
    owner: tuple[Predicate[S, L], Predicate[S, L]] | None = None
    """Two predicates: the shared resource has an owner; this copy is the owner.

    At most one copy owns it. ``mine`` is true if the relying copy owns it; seen from an acting copy, if another copy
    does.
    """

    def acts(self, before: S, then: S, limits: L, mine: Bool) -> Step:
        """Return the guard and the changes, with new values in their ranges.

        A copy relies on this, and each copy is proved to do only this.
        """
        guard, changes = self.effect(before, then, limits, mine)
        return And(guard, then.in_range(self.opens)), changes

    def owned(self, state: S, limits: L, *, acting: bool = False) -> Bool:
        """Return the value of ``mine``: the relying copy owns the shared resource.

        ``acting``: the state is that of the acting copy. True if there is no ``owner``.
        """
        if self.owner is None:
            return True
        owned, own = (one(state, limits) for one in self.owner)
        return And(owned, Not(own) if acting else own)
