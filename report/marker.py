"""Marker file of a run directory, which permits runs to delete files there, and locks the folder."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rebalance_proofs.report.errors import OutputError
from rebalance_proofs.report.results import files
from rebalance_proofs.spark_enum import marker

RUNS = "This is a run directory of rebalance-proofs: each run replaces what the run before it wrote here."
"""First line of the marker in a folder with files of runs only, which later runs may delete."""
GUESTS = "Runs of rebalance-proofs write here with --overwrite; the folder is somebody else's, and they remove nothing."
"""First line of the marker in a folder that also has files of other origin."""


def line(directory: Path) -> str | None:
    """Return the marker's first line, or None if there is no marker (``spark_enum.marker.line``)."""
    return marker.line(directory / files.MARKER)


@contextmanager
def held(directory: Path, says: str) -> Iterator[None]:
    """Write the marker, and lock the directory until the end of the block (``spark_enum.marker.held``).

    Raises ``OutputError`` if another process has locked it, ``OSError`` if the marker cannot be written.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(marker.held(directory / files.MARKER, says))
        except marker.Busy as error:
            raise OutputError(
                f"{error} is writing to {str(directory)!r}; wait until it has ended, or name another folder with "
                "--output"
            ) from error
        yield
