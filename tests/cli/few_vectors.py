"""A small set of recorded results, for tests that need only some."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from rebalance_proofs.recorded.files import OWN

ONE_FORMAT = ("avg.tsv", "avg_layouts.tsv", "avg_cids.tsv")
FILES = (*ONE_FORMAT, "errors.jsonl", "transition/scripted.jsonl")


def few_vectors(place: Path, files: Sequence[str] = FILES) -> Path:
    """Copy a few files into that directory, and pin their content."""
    pins = json.loads((OWN / "pinned.json").read_text(encoding="utf-8"))
    for name in files:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(OWN / name, place / name)
    (place / "pinned.json").write_text(json.dumps({name: pins[name] for name in files}), encoding="utf-8")
    return place
