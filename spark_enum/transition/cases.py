"""What is compared of one client in one mode: cases that numbers name, of tables with so many queues."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.rows import Rows
from rebalance_proofs.spark_enum.totals import Totals


class Cases(Check):
    """A piece is so many consecutive cases."""

    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """Cases of ``space.of_mode`` in which each queue is tried; empty where that is not the same for all."""
    queues: int

    @property
    def name(self) -> str:
        """``java_v4_9 push orderly, 3 queues, calls``."""
        queues = "1 queue" if self.queues == 1 else f"{self.queues} queues"
        return f"{' '.join(filter(None, (self.subject, self.setting)))}, {queues}, {self.kind}"

    @property
    def subject(self) -> str:
        return self.client.name

    @property
    def setting(self) -> str:
        return self.mode.name

    @property
    def bounds(self) -> Mapping[str, int]:
        return {"queues": self.queues, "letters": len(self.letters)}

    @property
    def codes(self) -> int:
        """How many numbers there are: one for each case, unless a room says otherwise."""
        return self.expected

    @property
    @abstractmethod
    def step(self) -> int:
        """How many numbers make a piece of work."""

    @property
    def pieces(self) -> int:
        return -(-self.codes // self.step)

    def __call__(self, piece: int, rows: Rows | None = None) -> Totals:
        begin = piece * self.step
        return self.compare(begin, min(begin + self.step, self.codes), rows)

    @abstractmethod
    def compare(self, begin: int, end: int, rows: Rows | None = None) -> Totals:
        """What is found in the cases that the numbers ``begin`` .. ``end`` - 1 name."""

    def keep(self, rows: Rows, differs: Mapping[int, str], **columns: Any) -> None:
        """Adds cases to the rows; ``differs`` has the places of those in which two sides differ."""
        length = len(columns["digest"])
        said = [differs.get(place) for place in range(length)]
        rows.add(self.label, queues=[self.queues] * length, differs=said, **columns)
