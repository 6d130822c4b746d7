"""Compile the inventory: the wordings of known lines, and the statements that belong to no line."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rebalance_proofs.recorded.knowledge.statements.inventory import Inventory, Statement, inventories, reasons

READ = ("4.9.8", "5.1.4", "5.3.3")
"""Java releases that a wording names."""
MARKS = {"Go client": " (Go)", "C++ client": " (C++)", "Node client": " (Node)"}
"""Name of an inventory -> what follows the class in a wording of that client."""


def worded(lines: Mapping[str, Mapping[str, Any]], every: Iterable[Inventory]) -> None:
    """Add wordings to the lines that have none: the texts of the statements that name the line.

    ``lines``: file name -> parsed file, as ``sources.read`` returns them.
    """
    found = wordings(every)
    for file in lines.values():
        for line in file["line"]:
            line.setdefault("wording", found.get(line["name"], []))


def wordings(every: Iterable[Inventory]) -> dict[str, list[dict[str, Any]]]:
    """Return the texts of the statements by the line that they name, in the form of the lines' files."""
    found: dict[str, dict[str, list[tuple[Inventory, Statement]]]] = {}
    for inventory in every:
        for one in inventory.statements:
            if one.line:
                found.setdefault(one.line, {}).setdefault(_bare(one.text), []).append((inventory, one))
    return {line: [_wording(text, many) for text, many in texts.items()] for line, texts in found.items()}


def _bare(text: str) -> str:
    """Return the text without values before its first word; they would match everything before the line."""
    while text.startswith("{}"):
        text = text[2:].lstrip()
    return text


def _wording(text: str, many: list[tuple[Inventory, Statement]]) -> dict[str, Any]:
    written = {
        release for inventory, one in many if inventory.language.suffixes == (".java",) for release in one.releases
    }
    releases = [one for one in READ if one in written]
    where = dict.fromkeys(f"{one.where}{MARKS.get(inventory.name, '')}" for inventory, one in many)
    made: dict[str, Any] = {"text": text, "where": ", ".join(where)}
    return made if len(releases) == len(READ) else {**made, "releases": releases}


def others() -> dict[str, Any]:
    """Return the statements that belong to no line: [client, class, text, reason]; and the reasons' texts."""
    return {"reasons": dict(reasons()), "statements": [list(one) for one in dict.fromkeys(_others())]}


def _others() -> Iterator[tuple[str, str, str, str]]:
    for inventory in inventories().values():
        for one in inventory.statements:
            if one.irrelevant and _bare(one.text):
                yield inventory.name, one.where, _bare(one.text), one.irrelevant
