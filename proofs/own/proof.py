"""Result for one guarantee of user-defined code, for all numbers of queues and consumers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # reporting that nothing was proved needs no solver
    from rebalance_proofs.proofs.question import Question


@dataclass(frozen=True)
class Proof:
    """The result for one guarantee of user-defined code."""

    name: str
    proved: bool
    reason: str = ""
    """Why the guarantee is not proved; if it is proved, the owner formula, if one is needed."""
    questions: "tuple[Question, ...]" = ()
    code: str = ""
    """Name of the function, its file and the file's hash; empty if the code could not be read."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Values of the module's constants that the proof depends on.

    They may differ when the module is loaded again.
    """
