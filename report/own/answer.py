"""Result of checking a user-defined strategy, with the options of the check."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.spark_enum.own.checked import Checked
from rebalance_proofs.spark_enum.own.rows import NEEDED, Row, failing


@dataclass(frozen=True)
class Strategy:
    """The user-defined strategy that was checked."""

    name: str
    """Name as the user typed it: ``mine.py:allocate``."""
    language: str
    """``python`` or ``java``."""
    hash: str = ""
    """SHA-256 of its file in hexadecimal; empty if no file was named."""


@dataclass(frozen=True)
class Answer:
    """Result of one check of a strategy; all output formats are rendered from it."""

    strategy: Strategy
    command: tuple[str, ...]
    """The command's arguments that name the strategy and how it is called, without other options."""
    checked: Checked
    required: Collection[str] = NEEDED
    """Names of the guarantees that must hold for exit status 0."""
    proofs: tuple[Proof, ...] = ()
    """Proofs for all numbers of queues and consumers; empty without ``--prove``."""

    @property
    def failing(self) -> tuple[Row, ...]:
        """Return the results of required guarantees that are broken or undecided."""
        return tuple(failing(self.checked.rows, self.required))

    @property
    def contradicted(self) -> tuple[str, ...]:
        """Return guarantees that are both proved and broken in a group, which is a bug in this program."""
        broken = {row.name for row in self.checked.rows if row.smallest}
        return tuple(proof.name for proof in self.proofs if proof.proved and proof.name in broken)

    def reproduce(self, row: Row) -> str:
        """Return the command that checks only the smallest group that breaks the guarantee ``row``.

        Raises ``ValueError`` if the guarantee is not broken.
        """
        if not row.smallest:
            raise ValueError(f"{row.name} is not broken")
        return shlex.join([*self.command, "--holds", row.name, "--group", row.smallest.key])
