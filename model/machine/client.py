"""A client as a variant of a machine, with its terms and their mutants."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.mutants import Wrong, WrongParts
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["MachineClient"]


class MachineClient:
    """Base class of the clients of one machine; each kind of claims adds its own fields."""

    machine: ClassVar[Machine[Any, Any, Any, Any]]
    wrong: ClassVar[Sequence[Wrong[Any, Any, Any, Any] | WrongParts[Any]]]
    """Hand-written mutants; ``of`` of each selects its clients."""

    @cached_property
    def encoding(self) -> Any:
        """The client's behaviour in terms (``Machine.encoding``)."""
        return self.machine.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error."""
        return tuple(one.mutant(self.encoding) for one in self.wrong if one.of(self))
