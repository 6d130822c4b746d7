"""A check: cases in which two sides are compared, or something ought to hold, done in pieces that numbers name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Rows
from rebalance_proofs.spark_enum.totals import Totals


class Check(ABC):
    """It is sent to Spark's executors, so that it holds no terms; neither does what it finds."""

    kind: ClassVar[str]
    """See ``Finding``; likewise the properties below."""

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    def subject(self) -> str:
        return ""

    @property
    def setting(self) -> str:
        return ""

    @property
    def bounds(self) -> Mapping[str, int]:
        return {}

    @property
    def label(self) -> dict[str, str]:
        """What every row of its cases says."""
        return {"kind": self.kind, "check": self.name, "subject": self.subject, "setting": self.setting}

    @property
    @abstractmethod
    def pieces(self) -> int:
        """How many pieces of work there are; each takes a small part of the time limit."""

    @property
    @abstractmethod
    def expected(self) -> int:
        """How many cases there are, by a closed form."""

    @abstractmethod
    def __call__(self, piece: int, rows: Rows | None = None) -> Totals:
        """What is found in the piece 0 .. ``pieces`` - 1; each of its cases is added to ``rows``."""

    def finding(self, totals: Totals, **changes) -> Finding:
        """The record of all pieces together; ``changes`` are fields that it has of its own."""
        told = {
            "kind": self.kind,
            "name": self.name,
            "counted": totals.counted,
            "expected": self.expected,
            "subject": self.subject,
            "setting": self.setting,
            "bounds": self.bounds,
            "digest": f"{totals.digest:016x}",
            "differing": totals.differing,
            "first": totals.first.sentence if totals.first else "",
            "broken": dict(totals.broken),
            "smallest": dict(totals.smallest),
            "numbers": dict(totals.numbers),
            "seconds": totals.seconds,
        }
        return Finding(**told | changes)
