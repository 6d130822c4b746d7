"""Read the generated index of the ledger."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from rebalance_proofs.report.family import Family
from rebalance_proofs.report.index.entry import Entry
from rebalance_proofs.report.mark import Mark

FILE = "index.json"
"""Name of the index file, beside this module."""


@cache
def entries() -> Mapping[str, Entry]:
    """Return the index's record of every claim, by claim id, in the order of the ledger."""
    table, patterns = families(), document()["covered"]
    return {one["id"]: _entry(one, table, patterns) for one in document()["claims"]}


def entry(name: str) -> Entry:
    """Return the index's record of the claim with that id. Raises ``LookupError``."""
    if name not in entries():
        raise LookupError(f"no claim is called {name!r}")
    return entries()[name]


@cache
def families() -> Mapping[str, Family]:
    """Return the families of claims by name, in display order."""
    found = (Family(**{**one, "corner": tuple(one["corner"])}) for one in document()["families"])
    return {one.name: one for one in found}


@cache
def strategies() -> Mapping[str, Mark]:
    """Return the conformance mark of each strategy's code, by the strategy's short name."""
    return {one["name"]: Mark(one["mark"]) for one in document()["strategies"]}


def of_kind(name: str) -> list[dict[str, Any]]:
    """Return additional precomputed data for a kind of claims, such as explored pauses.

    See ``report.shown.Shown.indexed``.
    """
    found: list[dict[str, Any]] = document()["kinds"][0][name]
    return found


def _entry(one: Mapping[str, Any], table: Mapping[str, Family], patterns: list[dict[str, int]]) -> Entry:
    lists = {name: tuple(one[name]) for name in ("row", "alone", "limits", "names", "strategies", "labels", "explored")}
    return Entry(
        **{
            **one,
            **lists,
            "among": tuple(one["among"] or one["alone"]),
            "family": table[one["family"]],
            "mark": Mark(one["mark"]),
            "stands_for": None if one["stands_for"] is None else tuple(one["stands_for"]),
            "covered": patterns[one["covered"]],
        }
    )


@cache
def document() -> dict[str, Any]:
    """Return the parsed index file, which is read once."""
    return read(files("rebalance_proofs.report.index").joinpath(FILE).read_text(encoding="utf-8"))


def read(text: str) -> dict[str, Any]:
    """Parse the text of an index file."""
    found: dict[str, Any] = json.loads(text)
    return found
