"""Compare the model with a directory of recorded results."""

from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.recorded.files import VectorFile, vector_files
from rebalance_proofs.recorded.formats import FORMATS
from rebalance_proofs.recorded.own import OWN, is_own
from rebalance_proofs.recorded.pinned import FILE, Pinned, held_to, read_pinned
from rebalance_proofs.recorded.records import Conformance, VectorsError
from rebalance_proofs.recorded.tally import skip_rows

KNOWN = tuple(sorted(name for format_ in FORMATS for name in format_.files))
"""Names of the files that can be compared with the model, without ``.gz``."""


def require(directory: Path | str) -> None:
    """Check that a directory has usable files of recorded results, without comparing their rows.

    Raises ``VectorsError`` as ``conform`` does.
    """
    _opened(Path(directory))


def conform(directory: Path | str = OWN) -> Conformance:
    """Check all vector files in ``directory`` and below against model and ``pinned.json``.

    Files with unknown names are reported as skipped, with their number of rows. In a file with a known name nothing is
    skipped: bad rows are malformed, and results unknown to the model are disagreements. None of these is raised.

    Raises ``VectorsError`` if the directory is missing, cannot be listed, contains no vector file, contains something
    that is not a file under such a name, or has an unreadable ``pinned.json``; and if it is the project's own directory
    and does not pin every known file.
    """
    found, pinned = _opened(Path(directory))
    absent = tuple(name for name in KNOWN if name not in found and name not in pinned)
    reports = [report for format_ in FORMATS for report in format_.check(found)]
    reports += [
        skip_rows(vectors, "files of this name are not modelled")
        for name, vectors in found.items()
        if name not in KNOWN
    ]
    reports = held_to(pinned, reports)
    return Conformance(tuple(sorted(reports, key=lambda report: report.file)), absent)


def _opened(directory: Path) -> tuple[dict[str, VectorFile], Mapping[str, Pinned]]:
    """Return the existing files by name, and their pinned counts."""
    found, pinned = vector_files(directory), read_pinned(directory)
    if is_own(directory) and (unpinned := [name for name in KNOWN if name not in pinned]):
        said = f"has no entry for {', '.join(unpinned)}" if pinned else "is missing"
        raise VectorsError(f"cannot check that this project's vectors are complete: {directory / FILE} {said}")
    return found, pinned
