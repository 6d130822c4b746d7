"""Numbered cases of one client in one mode, for tables with a given number of queues."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.results import Totals


class Cases(ABC):
    """Cases in which two sides are compared; a piece of work is a range of consecutive numbers."""

    kind: ClassVar[str]
    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """Codes (in ``space.of_mode``) of the cases tried for each queue; empty if queues differ."""
    queues: int

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cases, by a closed form."""

    @property
    def codes(self) -> int:
        """Number of codes, which are divided into pieces; by default the number of cases."""
        return self.size

    @property
    @abstractmethod
    def step(self) -> int:
        """Number of codes in one piece of work."""

    @abstractmethod
    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Compare the cases ``begin`` .. ``end`` - 1, and return the totals."""

    def check(self) -> Check:
        """Return the check for all cases, named like ``java_v4_9 push orderly, 3 queues, calls``."""
        queues = "1 queue" if self.queues == 1 else f"{self.queues} queues"
        return Check(
            kind=self.kind,
            name=f"{' '.join(filter(None, (self.client.name, self.mode.name)))}, {queues}, {self.kind}",
            pieces=-(-self.codes // self.step),
            expected=self.size,
            do=self._piece,
            subject=self.client.name,
            setting=self.mode.name,
            bounds={"queues": self.queues, "letters": len(self.letters)},
        )

    def _piece(self, piece: int, keep: Keep | None = None) -> Totals:
        begin = piece * self.step
        return self.compare(begin, min(begin + self.step, self.codes), keep)

    def add(self, keep: Keep, differs: Mapping[int, str], **columns: Any) -> None:
        """Add a Parquet row for each case; ``differs``: index of a case -> its difference in words."""
        length = len(columns["digest"])
        said = [differs.get(place) for place in range(length)]
        keep(queues=[self.queues] * length, differs=said, **columns)
