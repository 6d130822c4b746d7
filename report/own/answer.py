"""Everything that a check of a user's own strategy came to, and how it was asked for."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from rebalance_proofs.proofs.own.prove import Proof
from rebalance_proofs.spark_enum.own.checked import Checked
from rebalance_proofs.spark_enum.own.rows import NEEDED, Row, failing


@dataclass(frozen=True)
class Strategy:
    """What was checked."""

    name: str
    """As it was typed: ``mine.py:allocate``."""
    language: str
    """``python`` or ``java``."""
    hash: str = ""
    """SHA-256 of its file; empty where no file was named."""


@dataclass(frozen=True)
class Answer:
    """The record that every form of the answer is made of."""

    strategy: Strategy
    command: tuple[str, ...]
    """``rebalance check`` with what names the strategy and how it is called, without what is asked of it."""
    checked: Checked
    required: Collection[str] = NEEDED
    """Rows by which the exit status goes."""
    proofs: tuple[Proof, ...] = ()
    """For all numbers of queues and consumers; empty where that was not asked."""

    @property
    def failing(self) -> tuple[Row, ...]:
        """Required rows that are not known to hold."""
        return tuple(failing(self.checked.rows, self.required))

    @property
    def contradicted(self) -> tuple[str, ...]:
        """What is proved, and broken in a group: one of the two is a fault of this program."""
        broken = {row.name for row in self.checked.rows if row.smallest}
        return tuple(proof.name for proof in self.proofs if proof.proved and proof.name in broken)

    def reproduce(self, row: Row) -> str:
        """The command that tries the row's smallest group alone. Raises ``ValueError`` where it is not broken."""
        if not row.smallest:
            raise ValueError(f"{row.name} is not broken")
        return shlex.join([*self.command, "--holds", row.name, "--group", row.smallest.key])
