"""Result of checking a user's own strategy, with the options of the check."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.spark_enum.own.checked import Checked
from rebalance_proofs.spark_enum.own.rows import NEEDED, Row, failing


@dataclass(frozen=True)
class Strategy:
    """The strategy that was checked."""

    name: str
    """Name as the user typed it: ``mine.py:allocate``."""
    language: str
    """``python`` or ``java``."""
    hash: str = ""
    """SHA-256 of its file in hexadecimal; empty if no file was named."""


@dataclass(frozen=True)
class Answer:
    """The record from which every form of the answer is made."""

    strategy: Strategy
    command: tuple[str, ...]
    """Words of the command that name the strategy and how it is called, without the options of the check."""
    checked: Checked
    required: Collection[str] = NEEDED
    """Names of the rows that decide the exit status."""
    proofs: tuple[Proof, ...] = ()
    """Proofs for all numbers of queues and consumers; empty if none were asked for."""

    @property
    def failing(self) -> tuple[Row, ...]:
        """Required rows that are broken or undecided."""
        return tuple(failing(self.checked.rows, self.required))

    @property
    def contradicted(self) -> tuple[str, ...]:
        """Guarantees that are both proved and broken in a group, which is a fault of this program."""
        broken = {row.name for row in self.checked.rows if row.smallest}
        return tuple(proof.name for proof in self.proofs if proof.proved and proof.name in broken)

    def reproduce(self, row: Row) -> str:
        """Command that tries the row's smallest group alone. Raises ``ValueError`` if the row is not broken."""
        if not row.smallest:
            raise ValueError(f"{row.name} is not broken")
        return shlex.join([*self.command, "--holds", row.name, "--group", row.smallest.key])
