"""Result of checking a user-defined strategy, with the options of the check."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from rebalance_proofs.model.own.names import YOURS
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.spark_enum.own.checked import Checked
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.rows import CHANGED, NEEDED, Row, Smallest, failing, needed


@dataclass(frozen=True)
class Strategy:
    """The user-defined strategy that was checked."""

    name: str
    """Name as the user typed it: ``mine.py:allocate``."""
    language: str
    """``python`` or ``java``."""
    hash: str = ""
    """SHA-256 of its file in hexadecimal; empty if no file was named."""
    file: str = ""
    """Path of its source with slashes, relative to the current folder if possible."""
    line: int = 1
    """The line of its definition in that file."""


def _of_a_part(row: Row) -> bool:
    least = row.smallest
    if least is None:
        return False
    yours = any(one.space.naming.name == YOURS for one in row.found)
    part = isinstance(least.space, NamedSpace) and least.wrong.digits[0] >= least.space.names.whole
    return part or (yours and least.space.naming.name != YOURS)


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

    withheld: tuple[str, ...] = ()
    """Names of variables that the code reads, and that are set but not passed to it."""
    consumer_group: str = ""
    """The name of the consumer group that the user gave; empty for the names of the tried groups."""
    sampled: bool = False
    """True if a part of the groups of the given ids suffices (``--sample``)."""

    @property
    def unfinished(self) -> bool:
        """Return whether groups of the given ids are missing, although no required guarantee is known to be broken."""
        return self.checked.incomplete and not self.sampled and not self.checked.one_group

    @property
    def status(self) -> int:
        """Return the exit status: 1 for a broken guarantee, 3 for missing groups of the given ids, else 0."""
        return 1 if self.failing or self.contradicted else 3 if self.unfinished else 0

    @property
    def failing(self) -> tuple[Row, ...]:
        """Return the results of required guarantees that are broken or undecided.

        Those that only a part of the user's queues, or other names than the user's, break come last.
        """
        return tuple(sorted(failing(self.checked.rows, self.required), key=_of_a_part))

    @property
    def contradicted(self) -> tuple[str, ...]:
        """Return guarantees that are both proved and broken in a group, which is a bug in this program."""
        broken = {row.name for row in self.checked.rows if row.shown}
        return tuple(proof.name for proof in self.proofs if proof.proved and proof.name in broken)

    @property
    def elsewhere(self) -> tuple[Row, ...]:
        """Return the results of required guarantees that only groups with other names than the user's break."""
        return tuple(row for row in self.checked.rows if row.elsewhere and needed(row, self.required))

    def reproduce(self, row: Row, other: Smallest | None = None) -> str:
        """Return the command that checks only the smallest group that breaks the guarantee ``row``, or an ``other``.

        Raises ``ValueError`` if the guarantee is not broken.
        """
        smallest = other or row.shown
        if not smallest:
            raise ValueError(f"{row.name} is not broken")
        holds = () if row.world.name in CHANGED else ("--holds", row.name)
        return shlex.join([*self.command, *holds, "--group", smallest.key])
