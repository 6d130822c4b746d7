"""Transport of a Spark task's result to the driver, as JSON text without pickled objects."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.shelf import Checked
from rebalance_proofs.spark_enum.explorer.sorted_file import Sorted


def to_text(level: Level, checked: Checked) -> str:
    """Return a task's result as text: the level's totals, digests of data read, and files written."""
    return json.dumps(
        {
            "states": level.states,
            "digest": level.digest,
            "wrong": level.wrong,
            "often": level.often,
            "counts": None if level.counts is None else level.counts.tolist(),
            "read": [checked.level, checked.followers, checked.seen],
            "files": [asdict(file) for file in checked.files],
            "runs": [[*ends, [asdict(file) for file in files]] for ends, files in checked.runs.items()],
        }
    )


def failed(error: UsageError | OSError) -> str:
    """Return an error as text, for errors that a repetition would not fix."""
    number = error.errno if isinstance(error, OSError) else None
    return json.dumps({"number": number, "error": getattr(error, "strerror", None) or str(error)})


def from_text(text: str, number: int) -> tuple[Level, Checked]:
    """Read a task's result from the text, for the level with that number.

    Raises the error if the text describes one.
    """
    told = json.loads(text)
    if "error" in told:
        raise UsageError(told["error"]) if told["number"] is None else OSError(told["number"], told["error"])
    counts = None if told["counts"] is None else np.array(told["counts"], dtype=np.int64)
    level, followers, seen = told["read"]
    runs = {(first, last): _files(files) for first, last, files in told["runs"]}
    return (
        Level(number, told["states"], told["digest"], told["wrong"], told["often"], counts),
        Checked(level, followers, seen, _files(told["files"]), runs),
    )


def _files(told: list[dict[str, Any]]) -> list[Sorted]:
    return [Sorted(**one) for one in told]
