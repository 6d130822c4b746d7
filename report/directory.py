"""The run directory: every form of the results, for people and for tools."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from report import files
from report.errors import OutputError
from report.html import page
from report.itf import trace
from report.json_results import to_json
from report.junit import xml
from report.markdown import summary
from report.run import Run


def prepare(directory: Path) -> None:
    """Makes sure, before any work is done, that results can be written to ``directory``, and creates it.

    The reports of an earlier run are removed, so that none of them can pass for this one's if it is cut short.
    Raises ``OutputError``.
    """
    with _reporting(directory):
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / f".{files.RESULTS}.probe"
        probe.write_bytes(b"")
        probe.unlink()
        if (directory / files.RESULTS).exists():  # only then the folders are known to be an earlier run's
            for name in (files.TEXTS, files.TRACES):
                shutil.rmtree(directory / name, ignore_errors=True)
        for name in (files.RESULTS, files.JUNIT, files.SUMMARY, files.PAGE):
            (directory / name).unlink(missing_ok=True)


def write(run: Run, directory: Path) -> None:
    """Writes everything that is known about the run, complete or not, over what an earlier run wrote there.

    results.json comes last and appears at once: a directory that has it is whole. Raises ``OutputError``.
    """
    prepare(directory)
    with _reporting(directory):
        for result in run.claims:
            for file in files.text_files(result):
                _write(directory / file.path, file.question.text)
            if result.search and result.search.counterexample:
                _write(directory / files.trace_file(result), _json(trace(result, result.search.counterexample)))
        _write(directory / files.JUNIT, xml(run))
        _write(directory / files.SUMMARY, summary(run))
        _write(directory / files.PAGE, page(run))
        partial = directory / f".{files.RESULTS}.partial"
        _write(partial, _json(to_json(run)))
        os.replace(partial, directory / files.RESULTS)


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # a file name or argument may hold bytes that are no text; they are shown, not choked on
    path.write_bytes(text.encode("utf-8", "backslashreplace"))


@contextmanager
def _reporting(directory: Path) -> Iterator[None]:
    """Turns the system's errors into ``OutputError``."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot write results to {str(directory)!r}: {reason}") from error
