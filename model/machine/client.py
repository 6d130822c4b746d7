"""Base class for a client whose behaviour is one variant of a state machine."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.mutants import Wrong, WrongParts
from rebalance_proofs.model.terms.mutant import Mutant


class MachineClient:
    """Base class for a client in the claims about one machine; subclasses add their own fields."""

    name: str
    """Name used in claim ids."""
    machine: ClassVar[Machine[Any, Any, Any, Any]]
    wrong: ClassVar[Sequence[Wrong[Any, Any, Any, Any] | WrongParts[Any]]]
    """Hand-written mutants; the predicate ``of`` of each selects the clients that it applies to."""

    @cached_property
    def encoding(self) -> Any:
        """The client's behaviour as SMT terms (``Machine.encoding``)."""
        return self.machine.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error, which claims or proofs must reject."""
        return tuple(one.mutant(self.encoding) for one in self.wrong if one.of(self))
