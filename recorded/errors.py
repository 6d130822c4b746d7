"""``errors.jsonl`` and ``config.jsonl``: what every client makes of empty, null, repeated and unsorted arguments."""

from collections.abc import Mapping

from rebalance_proofs.recorded.arguments import ARGUMENTS
from rebalance_proofs.recorded.calls import check_call
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.jsonl import row_object, value
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, Unmodelled, check_rows
from rebalance_proofs.recorded.text import quoted

__all__ = ["FORMAT"]

FILES = ("errors.jsonl", "config.jsonl")


def check_row(tally: Tally, line: Line) -> None:
    """``s`` names the strategy."""
    row = row_object(line.text)
    strategy = value(row, "s")
    if not isinstance(strategy, str):
        raise RowError(f"s is {quoted(strategy)}, not the name of a strategy")
    if strategy not in ARGUMENTS:
        raise Unmodelled(f"strategy {quoted(strategy)} is not modelled")
    check_call(tally, line, row, strategy, inputs={"s"})


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """Two files of one kind of row."""
    return tuple(check_rows(vectors, check_row) for vectors in found.values())


FORMAT = Format(files=FILES, check=check)
