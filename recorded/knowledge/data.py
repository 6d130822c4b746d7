"""Read the compiled knowledge: ``compiled.json``, made from the TOML files of this folder."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rebalance_proofs.language import Text

COMPILED = Path(__file__).parent / "compiled.json"
"""The file that ``python -m rebalance_proofs.recorded.knowledge`` writes."""


@cache
def _everything() -> Mapping[str, Any]:
    everything: Mapping[str, Any] = json.loads(COMPILED.read_bytes())
    return everything


def loaded(folder: str) -> Mapping[str, Any]:
    """Return the content of the folder's files, by name without ``.toml``: ``loaded("causes")["handover"]``.

    Files beside the folders are in the folder "". Claims and phrases are expanded.
    """
    found: Mapping[str, Any] = _everything().get(folder, {})
    return found


def entries(folder: str, kind: str) -> Sequence[Mapping[str, Any]]:
    """Return all entries of one kind in the folder's files, in order: ``entries("causes", "cause")``."""
    return [entry for file in loaded(folder).values() for entry in file.get(kind, ())]


def text(table: Mapping[str, str]) -> Text:
    """Return the text of a table with the keys ``en`` and ``zh``."""
    return Text(table["en"], table.get("zh", ""))


def joined(first: Text, more: Text | None, en: str = ". ", zh: str = "。") -> Text:
    """Return a text and its continuation as one text, with ``en`` or ``zh`` between them."""
    if more is None:
        return first
    return Text(f"{first.en}{en}{more.en}", f"{first.zh}{zh}{more.zh}" if first.zh and more.zh else "")
