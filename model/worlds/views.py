"""What each consumer of a group sees, as terms over the digits of a world."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.worlds.groups import Groups, Values, in_range


def everything(queue: int) -> smt.BoolTerm:
    """The default of ``View.sees``: every queue is in mqAll."""
    return smt.BoolVal(True)


@dataclass(frozen=True)
class Listed:
    """An id in somebody's cidAll."""

    id: smt.IntTerm
    """The id as a number; equal ids are equal numbers."""
    present: smt.BoolTerm = YES
    """Whether it stands in the list at all."""


@dataclass(frozen=True)
class View:
    """What one consumer sees."""

    id: smt.IntTerm
    """The consumer's own id."""
    ids: tuple[tuple[int, Listed], ...]
    """Its cidAll in its order: (place in the group, id). Two entries for one place exclude each other."""
    sees: Callable[[int], smt.BoolTerm] = everything
    """Whether the queue is in its mqAll."""
    listed: smt.BoolTerm = YES
    """Whether it takes queues: its own id is in its cidAll, and it has been started."""


@dataclass(frozen=True)
class Views:
    """The meaning of a world's digits: a view for each consumer."""

    world: Groups
    members: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]]
    """``members(n, q, digits)``: the views of the consumers."""
    reference: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]] = lambda n, q, digits: ()
    """The views in the group that it is compared with."""
    admits: Callable[[int, int, Sequence[smt.IntTerm]], tuple[smt.BoolTerm, ...]] = lambda n, q, digits: ()
    """The world's ``admits`` as constraints, beyond the range of each digit."""

    def names(self, n: int, q: int) -> list[str]:
        """The names of the unknown digits."""
        return [f"digit{number}" for number in range(len(self.world.radices(n, q)))]

    def constraints(self, n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
        """The constraints that the digits encode a group."""
        return (*in_range(digits, self.world.radices(n, q)), *self.admits(n, q, digits))

    def assignment(self, n: int, q: int, values: Values) -> dict[str, int]:
        """The digits by name."""
        return dict(zip(self.names(n, q), values, strict=True))

    def values(self, n: int, q: int, assignment: Mapping[str, int]) -> Values:
        """The inverse of ``assignment``."""
        return tuple(assignment[name] for name in self.names(n, q))
