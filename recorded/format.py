"""What a file format is to this package."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.files import VectorFile
from rebalance_proofs.recorded.records import FileReport


@dataclass(frozen=True)
class Format:
    """One kind of recorded result, in one file or in several that belong together."""

    files: tuple[str, ...]
    """Names of the files, without ``.gz``."""
    check: Callable[[Mapping[str, VectorFile]], tuple[FileReport, ...]]
    """``check(found)``: a report for each of the format's files that the directory holds, at least one."""
