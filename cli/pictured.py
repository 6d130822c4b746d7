"""Answers that a command prints as text or JSON, and can also write as a picture."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.output import OutputError, require_own, require_writable, write_whole


def require_output(path: Path, first: Mapping[str, str]) -> None:
    """Check that the output file can be written, before any work.

    ``first``: first line of such a file, by file extension. Raises ``UsageError`` or ``OutputError``.
    """
    if path.suffix not in first:
        raise UsageError(f"--output: {path.name!r} has to end with {' or '.join(first)}")
    require_writable(path)
    if path.exists() and not path.is_file():
        raise OutputError(f"cannot write {str(path)!r}: it is not a file")
    require_own(path, first[path.suffix])


def write_picture(path: Path, first: Mapping[str, str], drawn: Callable[[], str], page: Callable[[], str]) -> None:
    """Write the SVG or the page, by the path's extension; another process may have written the file meanwhile.

    Raises ``OutputError``.
    """
    require_own(path, first[path.suffix])
    write_whole(path, drawn() if path.suffix == ".svg" else page())


def print_answer(
    lines: Iterable[str], values: Callable[[], object], output: Path | None = None, *, as_json: bool
) -> None:
    """Print the lines, or the values as JSON. ``output``: the file with the picture that has been written."""
    with Reporter() as reporter:
        for line in encoded(values()).splitlines() if as_json else lines:
            reporter.line(line)
        if output and not as_json:
            reporter.line(f"Written: {output}")
