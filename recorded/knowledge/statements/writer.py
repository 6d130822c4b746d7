"""Add the log statements of a release to an inventory, and write its file."""

import json
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from rebalance_proofs.recorded.knowledge.statements.inventory import FOLDER, Inventory, Statement, ranges


def added(before: Inventory, release: str, files: Iterable[tuple[str, str]]) -> Inventory:
    """Return the inventory with a release whose source files are given, as path and text; it becomes the newest.

    New statements have neither a line nor a reason. A maintainer has to choose one.
    """
    releases = tuple(one for one in before.releases if one != release)
    known = {
        one.key: replace(one, releases=tuple(name for name in one.releases if name != release))
        for one in before.statements
    }
    for _, where, call in before.calls(files):
        one = Statement(where, call.text, call.level, ())
        one = known.get(one.key, one)
        known[one.key] = replace(one, releases=(*dict.fromkeys((*one.releases, release)),))
    left = tuple(one for one in known.values() if one.releases)
    return replace(before, releases=(*releases, release), statements=left)


def written(name: str, inventory: Inventory) -> str:
    """Return the text of an inventory's file: one line a statement, sorted by class."""
    head = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").partition("\nreleases = ")[0]
    assert tomllib.loads(head)["name"] == inventory.name
    lines = [head, f"releases = {json.dumps(inventory.releases)}"]
    classes = sorted({one.where for one in inventory.statements})
    places = {where: place for place, where in enumerate(classes)}
    ordered = sorted(inventory.statements, key=lambda one: places[one.where])
    for where, many in groupby(ordered, key=lambda one: one.where):
        lines += ["", f"[{where}]", "statements = [", *(_line(one, inventory) for one in many), "]"]
    return "\n".join(lines) + "\n"


def _line(one: Statement, inventory: Inventory) -> str:
    told = {
        "text": one.text,
        "level": one.level,
        "in": ranges(one.releases, inventory.releases),
        "line": one.line,
        "irrelevant": one.irrelevant,
    }
    texts = (f"{name} = {_quoted(value)}" for name, value in told.items() if value or name == "text")
    return f"    {{ {', '.join(texts)} }},"


def _quoted(text: str) -> str:
    plain = "'" not in text and '"' in text and text.isprintable()
    return f"'{text}'" if plain else json.dumps(text, ensure_ascii=False)
