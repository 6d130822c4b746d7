"""What each consumer of a group sees, as terms over the digits of a world."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.worlds.groups import Groups, Values, in_range


def everything(queue: int) -> smt.BoolTerm:
    """Return true for every queue: mqAll has all queues. The default of ``View.sees``."""
    return smt.BoolVal(True)


@dataclass(frozen=True)
class Listed:
    """An entry of some consumer's cidAll."""

    id: smt.IntTerm
    """The client id as a number; equal ids are equal numbers."""
    present: smt.BoolTerm = YES
    """True if the id is in the list."""


@dataclass(frozen=True)
class View:
    """What one consumer sees: its id, its cidAll and its mqAll."""

    id: smt.IntTerm
    """The consumer's own id."""
    ids: tuple[tuple[int, Listed], ...]
    """The consumer's cidAll in its order: pairs of index in the group and id.

    If there are two entries for one index, only one of them is present.
    """
    sees: Callable[[int], smt.BoolTerm] = everything
    """``sees(queue)``: true if the queue is in the consumer's mqAll."""
    listed: smt.BoolTerm = YES
    """True if the consumer takes queues: its own id is in its cidAll, and it has been started."""


@dataclass(frozen=True)
class Views:
    """The views of all consumers, as functions of a world's digits."""

    world: Groups
    members: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]]
    """``members(n, q, digits)`` returns each consumer's view."""
    reference: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]] = lambda n, q, digits: ()
    """Function that returns each consumer's view in the reference group."""
    admits: Callable[[int, int, Sequence[smt.IntTerm]], tuple[smt.BoolTerm, ...]] = lambda n, q, digits: ()
    """The world's ``admits`` as SMT constraints, besides the range of each digit."""

    def names(self, n: int, q: int) -> list[str]:
        """Return the names of the unknown digits."""
        return [f"digit{number}" for number in range(len(self.world.radices(n, q)))]

    def constraints(self, n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
        """Return the constraints that the unknown digits encode a group."""
        return (*in_range(digits, self.world.radices(n, q)), *self.admits(n, q, digits))

    def assignment(self, n: int, q: int, values: Values) -> dict[str, int]:
        """Return the value of each unknown digit by its name."""
        return dict(zip(self.names(n, q), values, strict=True))

    def values(self, n: int, q: int, assignment: Mapping[str, int]) -> Values:
        """Return the digits that an assignment of the unknowns gives; the inverse of ``assignment``."""
        return tuple(assignment[name] for name in self.names(n, q))
