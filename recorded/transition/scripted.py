"""``scripted.jsonl``: what clients do in several steps, each with all its effects and the table after it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.recorded import jsonl
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.jsonl import Row, row_object, value
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, Unmodelled, check_rows
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition import java_scripted, node_scripted
from rebalance_proofs.recorded.transition.java_call import VERSIONS, client_name
from rebalance_proofs.recorded.transition.java_notation import pinned_thrown
from rebalance_proofs.recorded.transition.node_notation import VERSION as NODE_VERSION

__all__ = ["FORMAT"]

FILE = "transition/scripted.jsonl"
KEYS = {"ver", "case", "desc", "in", "steps"}
OUTPUTS = ("ret", "exc", "effects", "table")
OF_JAVA = (*OUTPUTS, "pendingDelayed")
OF_NODE = (*OUTPUTS, "memoryOffsets")


def check_row(tally: Tally, line: Line) -> None:
    """A case; every output of every step is a check of its own."""
    row = row_object(line.text)
    version, case = jsonl.text(value(row, "ver"), "ver"), jsonl.text(value(row, "case"), "case")
    if row.keys() - KEYS:
        raise RowError(f"{quoted(min(row.keys() - KEYS))} is no part of a case")
    if not isinstance(value(row, "in"), dict):
        raise RowError(f"in is {quoted(row['in'])}, not an object")
    if version == NODE_VERSION:
        steps = read_steps(row, OF_NODE)
        compare_steps(tally, line, NODE, case, OF_NODE, steps, node_scripted.run(row))
    elif version in VERSIONS:
        steps = [{**step, "exc": pinned_thrown(step["exc"])} for step in read_steps(row, OF_JAVA)]
        compare_steps(tally, line, client_name(version), case, OF_JAVA, steps, java_scripted.run(version, row))
    else:
        raise Unmodelled(f"version {quoted(version)} is not modelled")


def read_steps(row: Row, outputs: Sequence[str]) -> list[Row]:
    """The recorded steps, well-formed."""
    steps = value(row, "steps")
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise RowError(f"steps is {quoted(steps)}, not a list of objects")
    for step in steps:
        if step.keys() != {"op", *outputs}:
            raise RowError(f"a step has {', '.join(step)}, expected op, {', '.join(outputs)}")
        jsonl.text(step["op"], "op")
        for key in ("ret", "exc"):
            if step[key] is not None:
                jsonl.text(step[key], key)
        if (step["ret"] is None) == (step["exc"] is None):
            raise RowError("a step either returns ret or throws exc")
        if not isinstance(step["effects"], list) or not all(isinstance(effect, str) for effect in step["effects"]):
            raise RowError(f"effects is {quoted(step['effects'])}, not a list of texts")
        for key in {"table", "memoryOffsets"} & step.keys():
            if not isinstance(step[key], dict):
                raise RowError(f"{key} is {quoted(step[key])}, not an object")
        if "pendingDelayed" in step:
            jsonl.whole_number(step["pendingDelayed"], "pendingDelayed")
    return steps


def compare_steps(
    tally: Tally,
    line: Line,
    client: Profile | str,
    case: str,
    outputs: Sequence[str],
    recorded: Sequence[Row],
    computed: Sequence[Row],
) -> None:
    """Every output of every step."""
    for number, (theirs, ours) in enumerate(zip(recorded, computed, strict=True), start=1):
        for output in outputs:
            what = f"{output} of step {number}, {theirs['op']}, of {case}"
            tally.compare(line, client, what, _written(theirs[output]), _written(ours[output]))


def _written(found: Any) -> str:
    return " ".join(found) if isinstance(found, list) else json.dumps(found, sort_keys=True)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row),)


FORMAT = Format(files=(FILE,), check=check)
