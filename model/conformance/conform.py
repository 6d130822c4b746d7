"""Checking the model against a directory of recorded results."""

from pathlib import Path

from model.conformance.files import vector_files
from model.conformance.formats import FORMATS
from model.conformance.pinned import held_to, read_pinned
from model.conformance.records import Conformance, FileReport
from model.conformance.tally import skip_rows


def conform(directory: Path | str) -> Conformance:
    """Check every vector file in ``directory`` and below, and that they hold as much as its ``pinned.json`` says.

    Files of an unknown name are reported as skipped, with the number of their rows. In a file of a known name nothing
    is skipped: bad rows are malformed, and what the model does not know is a disagreement. None of it is raised. Raises
    ``VectorsError`` when the directory is missing, cannot be listed, holds no vector file, or pins nothing legible.
    """
    found = vector_files(Path(directory))
    pinned = read_pinned(Path(directory))
    reports: list[FileReport] = []
    for format_ in FORMATS:
        files = {name: found.pop(name) for name in format_.files if name in found}
        if files:
            reports += format_.check(files)
    reports += [skip_rows(vectors, "files of this name are not modelled") for vectors in found.values()]
    reports = held_to(pinned, reports)
    return Conformance(tuple(sorted(reports, key=lambda report: report.file)))
