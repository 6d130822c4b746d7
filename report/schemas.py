"""JSON Schemas (draft 2020-12) that are published with the package."""

import json
from importlib.resources import files
from typing import Any


def published(name: str) -> dict[str, Any]:
    """Return a schema by name: ``results`` for results.json, ``why`` for ``rebalance why --json``, ..."""
    text = files("rebalance_proofs.report").joinpath("schema", f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
