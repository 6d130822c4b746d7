"""The run directory, with all results of a run as files.

A run writes to a folder that does not exist, is empty, or is the directory of an earlier run. A run's directory is
recognised by its marker file (``files.MARKER``), or, if it is older than markers, by its reports. Any other folder is
refused unless the user adds ``--overwrite``.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rebalance_proofs.report.own.output import OutputError
from rebalance_proofs.report.results import files
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.schemas import published
from rebalance_proofs.spark_enum import marker

# Recognise and remove the files of an earlier run in a folder, without touching other files.

_FIELDS = frozenset(published("results")["required"]) - {"self_tests", "required", "left_out", "baseline"}
"""Required fields that results.json has had since its first version."""

_OWN = (
    (files.RESULTS,),  # first: a folder without results.json does not look like a complete run
    (files.JUNIT,),
    (files.SUMMARY,),
    (files.PAGE,),
    (files.LOG,),
    (files.TEXTS, "*", "*.smt2"),
    (files.TRACES, "*.itf.json"),
    (files.TABLES, "*", "part-*.parquet"),
    (files.TABLES, "*", ".part-*.parquet.*"),
    (files.TABLES, "*", "_SUCCESS"),
    (files.TABLES, "*", "._SUCCESS.crc"),
)


def recognised(directory: Path) -> bool:
    """Return whether the folder has all four reports, and results.json is from a run.

    This recognises run directories that are older than marker files. results.json alone is not enough: a user may have
    saved the output of ``--json`` there. Raises ``OSError`` if a file cannot be read.
    """
    if not all(_is_file(directory / name) for name in files.REPORTS):
        return False
    try:
        document = json.loads((directory / files.RESULTS).read_bytes())
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(document, dict)
        and type(document.get("format")) is int
        and 1 <= document["format"] <= files.FORMAT
        and document.keys() >= _FIELDS
        and isinstance(document["versions"], dict)
        and "rebalance-proofs" in document["versions"]
    )


def remove(directory: Path) -> None:
    """Remove every file that has the path of a run's file, and then the run's empty folders.

    Links are neither followed nor removed. Raises ``OSError``.
    """
    for names in _OWN:
        _remove(directory, names)


def remove_reports(directory: Path) -> None:
    """Remove only the four reports, results.json first. Raises ``OSError``."""
    for name in files.REPORTS:
        (directory / name).unlink(missing_ok=True)


def _remove(folder: Path, names: Sequence[str]) -> None:
    first, *rest = names
    with os.scandir(folder) as found:
        entries = [entry for entry in found if fnmatchcase(entry.name, first)]
    for entry in entries:
        if not rest and entry.is_file(follow_symlinks=False):
            os.unlink(entry.path)
        elif rest and entry.is_dir(follow_symlinks=False):
            _remove(Path(entry.path), rest)
            with suppress(OSError):  # the folder has other files, or is a mount point
                os.rmdir(entry.path)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


# Marker file of a run directory, which permits runs to delete files there, and locks the folder.

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


_NOBODYS = "lost+found"
"""Folder that a file system creates in its root; a folder with nothing else counts as empty."""


@contextmanager
def taken(directory: Path | None, overwrite: bool = False) -> Iterator[None]:
    """Check before any work that results can be written to ``directory``, and lock it against other runs.

    Creates the folder if it does not exist. In a run's directory, removes all files of the earlier run: reports,
    spark.log, texts, traces and tables. Otherwise old files could look like results of this run if it ends early.
    Other files stay, even in subfolders of the run.

    With ``overwrite``, a folder with other files is accepted, and is not marked as a run's directory. Only reports are
    removed there, if all four exist and results.json is from a run. ``write`` then replaces files that have the path of
    a file that it writes. Spark appends to spark.log, and replaces tables of the same name.

    A link at the path of a run's file or folder is always refused, neither followed nor removed. So is a folder at the
    path of a file, and a file at the path of a folder.

    The lock lasts until the end of the block (``marker.held``). If ``directory`` is None, nothing is done. Raises
    ``OutputError``, and leaves a refused folder unchanged.
    """
    if directory is None:
        if overwrite:
            raise OutputError("--overwrite needs --output DIR, the run directory")
        yield
        return
    with ExitStack() as stack:
        with _reporting(directory):
            says = _whose(directory, overwrite)
            _refuse_what_is_in_the_way(directory)
            directory.mkdir(parents=True, exist_ok=True)
            stack.enter_context(held(directory, says))
            _empty_partial(directory).rmdir()  # only to check that a run can write here
            if says == RUNS:
                remove(directory)
            elif recognised(directory):
                remove_reports(directory)
        yield


def write(run: Run, directory: Path) -> None:
    """Write all results of the run, complete or not, to a directory that is ``taken``.

    The files are first written to a hidden folder in the directory, and then moved to their paths, results.json last.
    A directory with results.json is therefore complete. If moving fails, moved files are removed again. What
    survives a crash of the machine depends on the file system. Raises ``OutputError``.
    """
    with _reporting(directory, "; results.json was not written"):
        directory.mkdir(parents=True, exist_ok=True)  # whoever removed it meanwhile may still want the results
        partial = _empty_partial(directory)
        try:
            paths = [_write(partial / path, text) for path, text in _documents(run)]
            _move([path.relative_to(partial) for path in paths], partial, directory)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _whose(directory: Path, overwrite: bool) -> str:
    """Return the text of the marker that this run writes.

    Raises ``OutputError`` if the folder is refused.
    """
    said = line(directory)
    if said == RUNS or _empty(directory) or (said != GUESTS and recognised(directory)):
        return RUNS
    if overwrite:
        return GUESTS
    raise OutputError(
        f"{str(directory)!r} is not empty and not the directory of an earlier run; name a new or empty folder with "
        "--output, or add --overwrite to replace files of the same names"
    )


def _empty(directory: Path) -> bool:
    if not os.path.lexists(directory):
        return True
    with os.scandir(directory) as found:
        return {entry.name for entry in found} <= {files.MARKER, files.PARTIAL, _NOBODYS}


def _refuse_what_is_in_the_way(directory: Path) -> None:
    for names, expected in ((files.FILES, Path.is_file), (files.FOLDERS, Path.is_dir)):
        for name in names:
            _refuse(directory / name, expected)


def _refuse(path: Path, expected: Callable[[Path], bool]) -> None:
    """Raise ``OutputError`` if the path is a link, or has not the ``expected`` type (file or folder)."""
    if path.is_symlink() or (path.exists() and not expected(path)):
        kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "file"
        raise OutputError(
            f"{str(path)!r} is a {kind} where the run writes its own file or folder; remove it, or name another folder "
            "with --output"
        )


def _empty_partial(directory: Path) -> Path:
    """Create the hidden folder for unfinished files, empty, and return its path."""
    partial = directory / files.PARTIAL
    if partial.is_dir() and not partial.is_symlink():
        shutil.rmtree(partial)
    partial.mkdir()
    return partial


def _documents(run: Run) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file, results.json last."""
    # Not every run writes files.
    from rebalance_proofs.report.claims.played import trace
    from rebalance_proofs.report.html import page
    from rebalance_proofs.report.results.json_results import to_json
    from rebalance_proofs.report.results.markdown import summary, xml

    for result in run.claims:
        for file in files.text_files(result):
            yield file.path, file.question.text
        if result.search and result.search.counterexample:
            yield files.trace_file(result), _json(trace(result, result.search.counterexample))
    yield files.JUNIT, xml(run)
    yield files.SUMMARY, summary(run)
    yield files.PAGE, page(run)
    yield files.RESULTS, _json(to_json(run))


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    # File names and arguments may contain undecodable bytes, which are written escaped.
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return path


def _move(paths: list[Path], source: Path, target: Path) -> None:
    """Move files to the same paths below ``target``, in this order.

    On an error, remove all of them from ``target``. The last file does not exist in ``target`` until all others are
    moved.
    """
    for folder in sorted({parent for path in paths for parent in path.parents if parent != Path()}):
        _refuse(target / folder, Path.is_dir)
        (target / folder).mkdir(exist_ok=True)
    for path in paths:
        _refuse(target / path, Path.is_file)
    (target / paths[-1]).unlink(missing_ok=True)
    moved = []
    try:
        for path in paths:
            os.replace(source / path, target / path)
            moved.append(target / path)
    except BaseException:
        for path in moved:
            with suppress(OSError):
                path.unlink()
        raise


@contextmanager
def _reporting(directory: Path, consequence: str = "") -> Iterator[None]:
    """Replace ``OSError`` in the block with ``OutputError``.

    ``consequence`` is the end of the message.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot write results to {str(directory)!r}: {reason}{consequence}") from error
