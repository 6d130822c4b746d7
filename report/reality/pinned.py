"""Pinned evidence from recorded groups; nothing is computed here.

``python -m rebalance_proofs.report.reality.pin`` rewrites the file from the recordings in this package.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

FILE = "pinned.json"
"""Name of the file beside this module."""


@dataclass(frozen=True)
class Pinned:
    """Evidence from one recording."""

    accepted: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Kind -> client of a claim -> release -> number of events that the client's machine explains."""
    kept: Mapping[str, Mapping[str, int]]
    """Claim that holds -> event that it denies -> number of chances for the event, which never happened."""
    happened: Mapping[str, Mapping[str, int]]
    """Refuted claim, or claim that something can happen -> the event -> number of occurrences."""
    broken: Mapping[str, Mapping[str, int]]
    """Claim that holds -> event that it denies -> number of occurrences, which contradict the claim."""
    monitored: tuple[str, ...]
    """Claims with a monitor in this recording."""
    releases: tuple[str, ...]
    """Releases of its consumers."""

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Pinned":
        """Parse one recording's evidence from the file's JSON."""
        return cls(**{**row, "monitored": tuple(row["monitored"]), "releases": tuple(row["releases"])})


@cache
def pinned() -> Mapping[str, Pinned]:
    """Return the evidence of each recording; the file is read once."""
    text = files("rebalance_proofs.report.reality").joinpath(FILE).read_text(encoding="utf-8")
    return {name: Pinned.read(row) for name, row in json.loads(text).items()}
