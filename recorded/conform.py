"""Compare the model with a directory of recorded results."""

from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.recorded import assignment, avg, calls, consistent_hash, machine_room, sort_cases
from rebalance_proofs.recorded.calls import CALL_ROWS, check_call
from rebalance_proofs.recorded.files import (
    FILE,
    OWN,
    Conformance,
    Pinned,
    VectorFile,
    VectorsError,
    held_to,
    is_own,
    read_pinned,
    vector_files,
)
from rebalance_proofs.recorded.rows import Row
from rebalance_proofs.recorded.tally import Format, Part, skip_rows
from rebalance_proofs.recorded.transition import offset, pairs, scripted, single, store

# Check ``consistent_hash_special.jsonl``: CONSISTENT_HASH in special cases.
# They are hash collisions, repeated ids, and one consumer. The lists are passed to ``allocate`` unchanged, once for
# every id.


def check_row(row: Row) -> None:
    """Check a row, which names its queues' topic, because the topic is hashed as well."""
    check_call(row, "CONSISTENT_HASH", inputs={"topic", "note"}, topic=row["topic"])


FORMAT = Format((Part("consistent_hash_special.jsonl", CALL_ROWS, check_row),))


# All formats of recorded results.
# To add a format, write its module in this folder and name it in ``FORMATS``.

FORMATS: tuple[Format, ...] = (
    assignment.FORMAT,
    avg.FORMAT,
    consistent_hash.FORMAT,
    FORMAT,
    calls.FORMAT,
    machine_room.FORMAT,
    machine_room.NEARBY_FORMAT,
    offset.NODE_FORMAT,
    single.NODE_FORMAT,
    offset.FORMAT,
    pairs.FORMAT,
    consistent_hash.RING_HASH_FORMAT,
    scripted.FORMAT,
    single.FORMAT,
    sort_cases.FORMAT,
    store.FORMAT,
)


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
