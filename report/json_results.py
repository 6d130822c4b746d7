"""results.json: the run for tools. Its form is published in schema/results.schema.json."""

import json
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from rebalance_proofs.recorded import Conformance, FileReport
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.json_claim import claim
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.transition_cases import as_json
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.results import AtSize, Enumerated, Enumeration, Smallest, Violation

FORMAT = 1
"""Grows when a reader of the old form would misread the new one."""


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what ``to_json`` gives."""
    return json.loads(
        files("rebalance_proofs.report").joinpath("schema", "results.schema.json").read_text(encoding="utf-8")
    )


def to_json(run: Run) -> dict[str, Any]:
    """The whole document; holds nothing but JSON types."""
    return {
        "format": FORMAT,
        "complete": run.complete,
        "unfinished": run.unfinished,
        "green": run.green,
        "exit_status": run.exit_status,
        "failures": list(run.failures),
        "left_out": list(run.left_out),
        "command": run.command,
        "started": run.started,
        "seconds": run.seconds,
        "versions": dict(run.versions),
        "options": dict(run.options),
        "claims": [claim(result) for result in run.claims],
        "enumerated": enumerated(run.enumerated) if run.enumerated else None,
        "conformance": _conformance(run.conformance) if run.conformance else None,
        "self_tests": [asdict(test) for test in run.self_tests],
        "required": [asdict(work) | {"ok": work.ok} for work in run.required],
    }


def enumerated(found: Enumerated) -> dict[str, Any]:
    """Everything that came from Spark."""
    return {
        "spark": found.spark,
        "master": found.master,
        "enumerations": [_enumeration(sweep) for sweep in found.enumerations],
        "movements": [_movement(movement) for movement in found.movements],
        "at_size": [_at_size(row) for row in found.at_size],
        "smallest": [_smallest(row) for row in found.smallest],
        "transitions": as_json(found),
        "unexpected": list(found.unexpected),
    }


def _enumeration(sweep: Enumeration) -> dict[str, Any]:
    return {
        "name": sweep.name,
        "subject": sweep.subject,
        "premise": sweep.world,
        "dropped": sweep.dropped,
        "max_queues": sweep.max_queues,
        "max_consumers": sweep.max_consumers,
        "groups": sweep.groups,
        "expected_groups": sweep.expected_groups,
        "complete": sweep.complete,
        "results": sweep.results,
        "positions": sweep.positions,
        "digest": sweep.digest,
        "mismatches": sweep.mismatches,
        "first_mismatch": sweep.first_mismatch,
        "violations": dict(sweep.violations),
        "smallest": {guarantee: _violation(violation) for guarantee, violation in sweep.smallest.items()},
        "green": not failures(sweep),
        "seconds": sweep.seconds,
    }


def _movement(movement: Movement) -> dict[str, Any]:
    costs = [asdict(cost) | {"needed": cost.needed} for cost in movement.costs]
    return asdict(movement) | {"costs": costs, "complete": movement.complete, "green": not failures(movement)}


def _violation(violation: Violation) -> dict[str, Any]:
    return {
        "consumers": violation.consumers,
        "queues": violation.queues,
        "digits": list(violation.values),
        "sentence": violation.sentence,
    }


def _at_size(row: AtSize) -> dict[str, Any]:
    return asdict(row) | {"green": not failures(row)}


def _smallest(row: Smallest) -> dict[str, Any]:
    return {
        "claim": row.claim,
        "solver": _size(row.solver),
        "enumerator": _size(row.enumerator),
        "max_queues": row.max_queues,
        "max_consumers": row.max_consumers,
        "within": row.within,
        "green": not failures(row),
    }


def _size(size: tuple[int, int] | None) -> dict[str, int] | None:
    return None if size is None else {"consumers": size[0], "queues": size[1]}


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
