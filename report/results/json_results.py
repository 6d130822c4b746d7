"""Build results.json, the results of a run for programs. Format: schema/results.schema.json."""

from dataclasses import asdict
from typing import Any

from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.recorded.files import Conformance, FileReport
from rebalance_proofs.report.failures import failures, words_of
from rebalance_proofs.report.json_claim import claim
from rebalance_proofs.report.results import files
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.schemas import published
from rebalance_proofs.spark_enum.results import Enumerated, Finding


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of results.json."""
    return published("results")


def to_json(run: Run) -> dict[str, Any]:
    """Return the content of results.json as dicts and lists."""
    return {
        "format": files.FORMAT,
        "complete": run.complete,
        "unfinished": run.unfinished,
        "green": run.green,
        "exit_status": run.exit_status,
        "failures": list(run.failures),
        "left_out": list(run.left_out),
        "baseline": _baseline(run) if run.baseline else None,
        "command": run.command,
        "started": run.started,
        "seconds": run.seconds,
        "versions": dict(run.versions),
        "options": dict(run.options),
        "claims": [claim(result, run.compared, run.share(result)) for result in run.claims],
        "enumerated": enumerated(run.enumerated) if run.enumerated else None,
        "conformance": _conformance(run.conformance) if run.conformance else None,
        "self_tests": [asdict(test) for test in run.self_tests],
        "required": [asdict(work) | {"ok": work.ok} for work in run.required],
        **({"certified": _certified(run.certified)} if run.certified else {}),
    }


def _certified(found: Certified) -> dict[str, Any]:
    lacking = [dict(zip(("claim", "obligation", "reason"), one, strict=True)) for one in found.uncertified]
    return {
        "certified": found.certified,
        "drawn": len(found.drawn),
        "formulas": found.formulas,
        "uncertified": lacking,
    }


def _baseline(run: Run) -> dict[str, Any]:
    known = {name: getattr(run.baseline, name) for name in ("file", "sha256", "started", "command")}
    assert run.changes is not None
    found = asdict(run.changes)
    del found["standing"]
    return known | {name: list(sentences) for name, sentences in found.items()}


def enumerated(found: Enumerated) -> dict[str, Any]:
    """Return the results of the enumeration on Spark as dicts and lists."""
    return {
        "spark": found.spark,
        "master": found.master,
        "findings": [_finding(one) for one in found.findings],
        "unexpected": list(found.unexpected),
    }


def _finding(found: Finding) -> dict[str, Any]:
    sized = words_of(found.kind).size
    smallest = {
        name: {"size": dict(zip(sized, case.size, strict=True)), "digits": list(case.digits), "sentence": case.sentence}
        for name, case in found.smallest.items()
    }
    told = {"smallest": smallest, "details": list(found.details)}
    return asdict(found) | told | {"complete": found.complete, "green": not failures(found)}


def _conformance(conformance: Conformance) -> dict[str, Any]:
    return {
        "green": conformance.green,
        "rows": conformance.rows,
        "checks": conformance.checks,
        "files": [_file(file) for file in conformance.files],
        "absent": list(conformance.absent),
    }


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "file": file.file,
        "rows": file.rows,
        "checks": file.checks,
        "green": not failures(file),
        "disagreements": [
            {
                "line": row.line,
                "client": row.client,
                "what": row.what,
                "recorded": row.recorded,
                "computed": row.computed,
            }
            for row in file.disagreements
        ],
        "malformed": [{"line": row.line, "what": row.what} for row in file.malformed],
        "lacking": list(file.lacking),
        "skipped": dict(file.skipped),
    }
