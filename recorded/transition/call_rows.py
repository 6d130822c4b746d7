"""Files of which each row is one call of ``updateProcessQueueTableInRebalance``: inputs, and outputs to be compared."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.readers import Reader, Row, fitting
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.transition.dialect import Dialect
from rebalance_proofs.recorded.transition.entries import ABSENT
from rebalance_proofs.recorded.tsv import Table

BROADCASTING = {"C": False, "B": True}


def shape(pattern: str) -> Reader:
    """A reader of outputs that look so."""
    return fitting(re.compile(pattern).fullmatch, "which no call gives")


@dataclass(frozen=True)
class CallRows:
    """The rows of one file."""

    columns: Mapping[str, Reader]
    """In the order of the file; ``ver`` is read as the dialect."""
    outputs: tuple[str, ...]
    """Those that are compared; the others are inputs."""
    compute: Callable[[Dialect, Row], Mapping[str, str]]
    """The outputs as the model gives them for the inputs of a row, as the file writes them."""
    outputs_first: bool = True
    """Whether outputs are looked at before inputs, so that of two bad cells it is an output that is told."""

    def format(self, file: str) -> Format:
        """The format of a file with such rows."""
        return Format((Part(file, Table(self.columns), self.check_row),))

    def check_row(self, tally: Tally, line: Line, row: Row) -> None:
        """Every output is a check of its own."""
        dialect = row["ver"]
        if self.outputs_first:
            self.require_outputs(row)
        computed = self.compute(dialect, row)
        self.require_outputs(row)
        cells = row.fields
        inputs = ", ".join(f"{name} {cells[name]}" for name in cells if name not in ("ver", *self.outputs))
        for column in self.outputs:
            tally.compare(line, dialect.name, f"{column} for {inputs}", cells[column], computed[column])

    def require_outputs(self, row: Row) -> None:
        """Raises ``RowError`` unless the row has outputs that a call can give."""
        row.require(*self.outputs)
        if (row["changed"] == ABSENT) == (row["exc"] == ABSENT):
            raise RowError("a call either returns changed or throws exc")
