"""Check ``scripted.jsonl``: sequences of a client's operations.

After each operation, all effects and the process queue table are compared.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rebalance_proofs.recorded.jsonl import Objects, json_object, objects, text
from rebalance_proofs.recorded.rows import Row, RowError, anything, expect, quoted
from rebalance_proofs.recorded.tally import Format, Part
from rebalance_proofs.recorded.transition.java import JAVA, JavaCase
from rebalance_proofs.recorded.transition.node import NODE, NodeCase
from rebalance_proofs.recorded.transition.notation import REBALANCE, of_version

FILE = "transition/scripted.jsonl"
ROWS = Objects({"ver": text, "case": text, "desc": anything, "in": json_object, "steps": objects})


def check_row(row: Row) -> None:
    """Compare a case with the model; every output of every operation counts as a separate check."""
    version, case = row.read("ver", "case")
    if others := row.fields.keys() - ROWS.keys:
        raise RowError(f"{quoted(min(others))} is not a part of a case")
    row.read("in")
    dialect = of_version({**JAVA, **NODE})(version, "ver")
    new = NodeCase if version in NODE else JavaCase
    outputs = [key for key in new.steps.keys if key != "op"]
    expect(row["steps"], "steps is [], not a list of objects")
    recorded = [read_step(new.steps.row(step), outputs) for step in row["steps"]]
    computed = run(new(dialect, new.inputs.row(row["in"])), row["steps"])
    for number, (theirs, ours) in enumerate(zip(recorded, computed, strict=True), start=1):
        for output in outputs:
            what = f"{output} of step {number}, {theirs['op']}, of {case}"
            row.compare(dialect.name, what, written(theirs[output]), written(ours[output]), [REBALANCE])


def read_step(step: Row, outputs: Sequence[str]) -> Row:
    """Return one recorded operation with its outputs.

    Raises ``RowError`` unless it is well-formed.
    """
    keys = step.fields.keys()
    expect(keys == step.readers.keys(), f"a step has {', '.join(keys)}, expected op, {', '.join(outputs)}")
    _, returned, thrown = step.read("op", "ret", "exc")
    expect((returned is None) != (thrown is None), "a step either returns ret or throws exc")
    step.read(*outputs)
    return step


def run(case: JavaCase | NodeCase, steps: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
    """Return the outputs of each operation as the model computes them, in the file's notation.

    Raises ``RowError`` for an invalid operation, and ``Unmodelled`` for an unknown one.
    """
    return [case.step(case.steps.row(step)["op"]) for step in steps]


def written(found: Any) -> str:
    """Return an output as text for a message."""
    return " ".join(found) if isinstance(found, list) else json.dumps(found, sort_keys=True)


FORMAT = Format((Part(FILE, ROWS, check_row),))
