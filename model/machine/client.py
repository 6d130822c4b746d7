"""A client as a variant of a machine: its encoding in terms, and the mutants of that encoding."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.mutants import Wrong, WrongParts
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["MachineClient"]


class MachineClient:
    """Base class of the clients of one machine; a kind of claims adds what else its clients have."""

    machine: ClassVar[Machine[Any, Any, Any, Any]]
    wrong: ClassVar[Sequence[Wrong[Any, Any, Any, Any] | WrongParts[Any]]]
    """Hand-written mutants. Each says by ``of`` which clients it is a mutant of."""

    @cached_property
    def encoding(self) -> Any:
        """The client's behaviour in terms (``Machine.encoding``)."""
        return self.machine.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each wrong in one respect."""
        return tuple(one.mutant(self.encoding) for one in self.wrong if one.of(self))
