"""Pinned results of exploring the standard groups, and differences from a new exploration."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "evidence" / "recorded_groups.json"
"""File of the pinned results, written by ``python -m rebalance_proofs.evidence.groups``."""


@dataclass(frozen=True)
class Record:
    """The results of exploring a group."""

    states: int
    transitions: int
    levels: int
    digest: str
    """Hexadecimal digest of all states."""
    settled: str
    """Result about settling, such as ``within 1 rounds``; empty if it was not requested."""
    steps: Mapping[str, int | None]
    """For each bad state (watch), by name: length of a shortest trace to it; None if unreachable."""
    watched: Mapping[str, tuple[str, ...]]
    """For each bad state (watch), by name: the claims that exclude it."""
    claims: tuple[str, ...]
    """Ids of the claims for which the group is explored."""

    def document(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        document: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return document


def read(part: str, file: Path = FILE) -> Mapping[str, Record]:
    """Return the pinned results of one part (``quick`` or ``larger``): group -> results.

    Empty if there is no file yet.
    """
    if not file.exists():
        return {}
    return {name: _record(told) for name, told in json.loads(file.read_text(encoding="utf-8")).get(part, {}).items()}


def _record(told: dict[str, Any]) -> Record:
    watched = {name: tuple(claims) for name, claims in told["watched"].items()}
    return Record(**told | {"watched": watched, "claims": tuple(told["claims"])})


def differences(recorded: Record, found: Record) -> Iterator[str]:
    """Yield sentences about differences between two results, the most important difference first.

    The number of states is compared elsewhere.
    """
    pairs: dict[str, tuple[int | str, int | str]] = {}
    watches = tuple(dict.fromkeys((*recorded.steps, *found.steps)))
    for watch in watches:
        pairs[f"{watch} is found"] = (_after(recorded.steps, watch), _after(found.steps, watch))
    pairs["settled"] = (recorded.settled or "not asked", found.settled or "not asked")
    pairs["transitions"] = (recorded.transitions, found.transitions)
    pairs["levels"] = (recorded.levels, found.levels)
    pairs["the digest of its states"] = (recorded.digest, found.digest)
    for watch in watches:
        pairs[f"claims of {watch}"] = (_ids(recorded.watched.get(watch, ())), _ids(found.watched.get(watch, ())))
    pairs["claims"] = (_ids(recorded.claims), _ids(found.claims))
    for what, (before, now) in pairs.items():
        if before != now:
            yield f"{what}: {_said(before)} recorded, {_said(now)} now"


def _ids(claims: tuple[str, ...]) -> str:
    return ", ".join(claims) or "none"


def _after(steps: Mapping[str, int | None], watch: str) -> str:
    if watch not in steps:
        return "not watched"
    return "never" if steps[watch] is None else f"after {steps[watch]} steps"


def _said(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value
