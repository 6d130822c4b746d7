"""Required numbers of lines compared in each file of recorded results.

The number must be that of the file, and at least the pinned number.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.recorded.pinned import read_pinned
from rebalance_proofs.recorded.records import Conformance
from rebalance_proofs.report.evidence import Required

ENDINGS = (".tsv", ".jsonl", ".tsv.gz", ".jsonl.gz")


def rows(directory: Path, found: Conformance) -> Iterator[Required]:
    """Yield the required number of lines for every file that exists or has a pinned number.

    Lines that start with ``#`` do not count.
    """
    files = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}
    files = {name: path for name, path in files.items() if name.endswith(ENDINGS)}
    pinned = {name: numbers.rows for name, numbers in read_pinned(directory).items()}
    reports = {report.file: report for report in found.files}
    required = {_plain(name) for name in files} | pinned.keys()
    yield Required("files of recorded results", len(required), len(required & {_plain(name) for name in reports}))
    for name in sorted(files.keys() & reports.keys()):
        report = reports[name]
        if not (report.malformed or report.lacking):  # these already describe the file's defect
            yield Required(f"rows of {name}", max(_lines(files[name]), pinned.get(_plain(name), 0)), report.rows)


def _plain(name: str) -> str:
    return name.removesuffix(".gz")


def _lines(path: Path) -> int:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    # every line counts, even an empty one, except for an empty rest after the last line break
    ends = content.count(b"\n") + (0 if content.endswith(b"\n") or not content else 1)
    headers = content.count(b"\n#") + content.startswith(b"#")
    return ends - headers
