"""A client as a variant of a machine: what it does as terms, and the same, each wrong in one thing."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["MachineClient"]


class MachineClient:
    """Of one machine; a kind of claims says what else clients have."""

    machine: ClassVar[Machine[Any, Any, Any, Any]]
    wrong: ClassVar[Sequence[Wrong[Any, Any, Any, Any]]]
    """Mistakes of clients."""

    @cached_property
    def encoding(self) -> Any:
        """What it does, as terms."""
        return self.machine.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""
        return tuple(one.mutant(self.encoding) for one in self.wrong if one.of(self))
