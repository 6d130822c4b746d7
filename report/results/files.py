"""Paths of files in a run directory, relative to it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult

RESULTS = "results.json"
JUNIT = "junit.xml"
SUMMARY = "summary.md"
PAGE = "report.html"
LOG = "spark.log"
TEXTS = "smt2"
TRACES = "counterexamples"
TABLES = "parquet"
MARKER = ".rebalance-run"
PARTIAL = ".rebalance-run.partial"

REPORTS = (RESULTS, JUNIT, SUMMARY, PAGE)
"""Files that every run writes."""
FILES = (*REPORTS, LOG)
FOLDERS = (TEXTS, TRACES, TABLES)

FORMAT = 3
"""Version of the format of results.json.

It increases when a reader of the old format would misread the new one.
"""


@dataclass(frozen=True)
class TextFile:
    """A solver query, with the path of the file with its text."""

    path: str
    question: Question


def text_files(result: ClaimResult) -> tuple[TextFile, ...]:
    """Return all solver queries of a claim, each with its own path.

    Paths of queries about a mutant have its name.
    """
    mutants = {
        id(question): f"mutant-{mutant.name}."
        for mutant in result.mutants
        for question in (*mutant.attempts, mutant.violation)
    }
    taken: dict[str, int] = {}
    found = []
    for question in result.questions:
        stem = _safe(mutants.get(id(question), "") + question.name)
        taken[stem] = taken.get(stem, 0) + 1
        again = f"~{taken[stem]}" if taken[stem] > 1 else ""
        found.append(TextFile(f"{texts(result)}{stem}{again}.smt2", question))
    return tuple(found)


def texts(result: ClaimResult) -> str:
    """Return the folder with the texts of the claim's solver queries."""
    return f"{TEXTS}/{_safe(result.claim.id)}/"


def path_of(result: ClaimResult) -> Callable[[Question], str]:
    """Return a function from a solver query of the claim to the path of its file."""
    found = {id(file.question): file.path for file in reversed(text_files(result))}
    return lambda question: found[id(question)]


def trace_file(result: ClaimResult) -> str:
    """Return the path of the claim's counterexample."""
    return f"{TRACES}/{_safe(result.claim.id)}.itf.json"


def _safe(name: str) -> str:
    """Replace characters of the name that could leave its folder, or that a file system may refuse."""
    return re.sub(r"[^A-Za-z0-9._+-]|^\.+", "_", name)
