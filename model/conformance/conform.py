"""Checking the model against a directory of recorded results."""

from pathlib import Path

from model.conformance.files import vector_files
from model.conformance.formats import FORMATS
from model.conformance.records import Conformance, FileReport
from model.conformance.tally import skip_rows


def conform(directory: Path | str) -> Conformance:
    """Check every vector file in ``directory`` and below; files of an unknown format are reported as skipped.

    Bad files and rows are reported and never raised. Raises ``VectorsError`` when the directory is missing, cannot be
    listed, or holds no vector file.
    """
    found = vector_files(Path(directory))
    reports: list[FileReport] = []
    for format_ in FORMATS:
        files = {name: found.pop(name) for name in format_.files if name in found}
        if files:
            reports += format_.check(files)
    reports += [skip_rows(vectors, "files of this name are not modelled") for vectors in found.values()]
    return Conformance(tuple(sorted(reports, key=lambda report: report.file)))
