"""JSON Schemas (draft 2020-12) that are published with the package."""

import json
from importlib.resources import files
from typing import Any

__all__ = ["published"]


def published(name: str) -> dict[str, Any]:
    """Schema by name: ``results`` for results.json, ``safe``, ``why`` and so on for ``--json`` of these commands."""
    text = files("rebalance_proofs.report").joinpath("schema", f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
