"""The run directory: all results of a run, as files for people and for tools.

A run writes into a folder that does not exist, that is empty, or that belongs to runs. The last is recognised by its
marker (``files.MARKER``), which every run puts there, or by its reports if it was written before there was a marker.
Any other folder belongs to somebody else, and is refused unless the user says ``--overwrite``.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from rebalance_proofs.report import earlier, files, marker
from rebalance_proofs.report.errors import OutputError
from rebalance_proofs.report.html import page
from rebalance_proofs.report.itf import trace
from rebalance_proofs.report.json_results import to_json
from rebalance_proofs.report.junit import xml
from rebalance_proofs.report.markdown import summary
from rebalance_proofs.report.run import Run

_NOBODYS = "lost+found"
"""The one entry that a file system itself creates in an empty folder that it is mounted at."""


@contextmanager
def taken(directory: Path | None, overwrite: bool = False) -> Iterator[None]:
    """Check before any work that results can be written to ``directory``, and lock it against other runs.

    Creates the folder if it does not exist. In a folder that belongs to runs, all files of an earlier run are removed,
    so that none can pass for this run's if it is cut short: reports, spark.log, texts, traces and tables. Other files
    stay, even within a run's subfolders.

    With ``overwrite``, a folder with other files is taken too, and still belongs to somebody else. Nothing is removed
    there except the reports, if all four are there and results.json is a run's; ``write`` replaces files that have the
    name and place of one that it writes. Spark appends to a spark.log, and replaces tables of the same name.

    A link in the place of a file or folder of a run, a folder in the place of a file, or a file in the place of a
    folder is always refused, neither followed nor removed.

    The lock lasts until the end of the block (``marker.held``). Without a ``directory`` nothing is done. Raises
    ``OutputError``; a folder that is refused is left as it was.
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
            stack.enter_context(marker.held(directory, says))
            _empty_partial(directory).rmdir()  # only to check that a run can write here
            if says == marker.RUNS:
                earlier.remove(directory)
            elif earlier.recognised(directory):
                earlier.remove_reports(directory)
        yield


def write(run: Run, directory: Path) -> None:
    """Write all results of the run, complete or not, to a directory that is ``taken``.

    They are written to a hidden folder inside the directory first, and then moved to their place, results.json last: a
    directory that has it is complete. A failure half way removes what was already moved. What survives a crash of the
    machine depends on the file system. Raises ``OutputError``.
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
    """The marker's text for this run."""
    said = marker.line(directory)
    if said == marker.RUNS or _empty(directory) or (said != marker.GUESTS and earlier.recognised(directory)):
        return marker.RUNS
    if overwrite:
        return marker.GUESTS
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
    """Refuse a link, or a file or folder of the wrong type, in the place of a run's file or folder."""
    if path.is_symlink() or (path.exists() and not expected(path)):
        kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "file"
        raise OutputError(
            f"{str(path)!r} is a {kind} where the run writes its own file or folder; remove it, or name another folder "
            "with --output"
        )


def _empty_partial(directory: Path) -> Path:
    """The hidden folder, newly created; leftovers of a run that was killed are removed."""
    partial = directory / files.PARTIAL
    if partial.is_dir() and not partial.is_symlink():
        shutil.rmtree(partial)
    partial.mkdir()
    return partial


def _documents(run: Run) -> Iterator[tuple[str, str]]:
    """Path and text of every file, results.json last."""
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
    # a file name or argument may hold undecodable bytes; they are written escaped
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return path


def _move(paths: list[Path], source: Path, target: Path) -> None:
    """Move files to the same place below ``target``, in this order; on an error all of them are removed there.

    The last file is missing from before the first move until all others are in place.
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
    """Turn errors of the operating system into ``OutputError``; ``consequence`` ends the message."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot write results to {str(directory)!r}: {reason}{consequence}") from error
