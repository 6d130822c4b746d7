"""What recorded groups show, as it was pinned; nothing is computed here.

``python -m rebalance_proofs.report.reality.pin`` writes the file anew from the recordings that are shipped.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["FILE", "Pinned", "pinned"]

FILE = "pinned.json"
"""Name of the file, beside this module."""


@dataclass(frozen=True)
class Pinned:
    """What one recording shows."""

    accepted: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Kind -> client of a claim -> release -> events that behaviours of that client's machine explain."""
    kept: Mapping[str, Mapping[str, int]]
    """Claim that holds -> what it denies -> how often that could have happened, and did not."""
    happened: Mapping[str, Mapping[str, int]]
    """Claim that does not hold, or says what can be -> what it denies, or says -> how often that happened."""
    broken: Mapping[str, Mapping[str, int]]
    """Claim that holds -> what it denies -> how often that happened: a contradiction."""
    monitored: tuple[str, ...]
    """Claims of which it would be seen, had it happened or had its chances."""
    releases: tuple[str, ...]
    """The releases of its members."""

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Pinned":
        """One of the file's rows."""
        return cls(**{**row, "monitored": tuple(row["monitored"]), "releases": tuple(row["releases"])})


@cache
def pinned() -> Mapping[str, Pinned]:
    """Recording -> what it shows; read once."""
    text = files("rebalance_proofs.report.reality").joinpath(FILE).read_text(encoding="utf-8")
    return {name: Pinned.read(row) for name, row in json.loads(text).items()}
