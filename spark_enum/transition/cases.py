"""What is compared of one client in one mode: cases that numbers name, of tables with so many queues."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals


class Cases(ABC):
    """A piece is so many consecutive cases."""

    kind: ClassVar[str]
    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """Cases of ``space.of_mode`` in which each queue is tried; empty where that is not the same for all."""
    queues: int

    @property
    @abstractmethod
    def size(self) -> int:
        """How many cases there are, by a closed form."""

    @property
    def codes(self) -> int:
        """How many numbers there are: one for each case, unless it is said otherwise."""
        return self.size

    @property
    @abstractmethod
    def step(self) -> int:
        """How many numbers make a piece of work."""

    @abstractmethod
    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """What is found in the cases that the numbers ``begin`` .. ``end`` - 1 name."""

    def check(self) -> Check:
        """Named ``java_v4_9 push orderly, 3 queues, calls``."""
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
        """Adds rows; ``differs`` has the places of those cases in which two sides differ."""
        length = len(columns["digest"])
        said = [differs.get(place) for place in range(length)]
        keep(queues=[self.queues] * length, differs=said, **columns)
