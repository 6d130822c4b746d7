"""Where things lie in a run directory; all paths are relative to it."""

import re
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
"""What every run writes."""
FILES = (*REPORTS, LOG)
FOLDERS = (TEXTS, TRACES, TABLES)


@dataclass(frozen=True)
class TextFile:
    """One question and the file that holds its text."""

    path: str
    question: Question


def text_files(result: ClaimResult) -> tuple[TextFile, ...]:
    """Every question of a claim, each with a path of its own; a mutant's question is named after the mutant."""
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
    """The folder of the claim's questions."""
    return f"{TEXTS}/{_safe(result.claim.id)}/"


def text_file(result: ClaimResult, question: Question) -> str:
    """The path of one of the claim's questions."""
    return next(file.path for file in text_files(result) if file.question is question)


def trace_file(result: ClaimResult) -> str:
    """The path of the claim's counterexample."""
    return f"{TRACES}/{_safe(result.claim.id)}.itf.json"


def _safe(name: str) -> str:
    """A name that stays inside its folder on every file system."""
    return re.sub(r"[^A-Za-z0-9._+-]|^\.+", "_", name)
