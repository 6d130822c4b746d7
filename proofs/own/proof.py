"""What is known of one guarantee of a user's code, for all numbers of queues and consumers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who shows that nothing was proved needs no solver
    from rebalance_proofs.proofs.question import Question

__all__ = ["Proof"]


@dataclass(frozen=True)
class Proof:
    """The result for one guarantee."""

    name: str
    proved: bool
    reason: str = ""
    """Why it is not proved; if it is, the source of the owner's formula, where one was needed."""
    questions: "tuple[Question, ...]" = ()
    code: str = ""
    """The function, its file and the file's hash; empty if the code could not be read."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Values of the module's constants on which the proof relies; another start of the module may give others."""
