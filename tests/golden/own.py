"""What solvers are asked of codes of one's own, as digests; what is read of them in words, and what is not."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.own import prepared as own
from rebalance_proofs.proofs.own.steps import known, written
from tests.golden.codes import OWNERS, bodies, module
from tests.golden.digested import all_digested, each_digested
from tests.proofs.own import indexes

INDEXES = (
    "remainder_to_the_last",
    "Snake",
    "looks_at_its_group",
    "helped",
    "idles_one_id",
    "as_many_as_the_limit",
    "none_for_whoever_is_beyond",
)
"""Names in ``tests/proofs/own/indexes.py``."""


def codes() -> Iterator[str]:
    """Each code: the texts about it by guarantee, the owner that was found, and what cannot be said; and all owners."""
    with TemporaryDirectory() as folder, patch.object(own.os, "dup2"):  # what is printed here goes nowhere else
        for name in INDEXES:
            yield from _told(name, Path(indexes.__file__), name)
        path = Path(folder) / "codes.py"
        path.write_text("".join(module()), encoding="utf-8")
        for number, name in enumerate(bodies()):
            yield from _told(name, path, f"of_{number}")
    names = [smt.Int(name) for name in "qcp"]
    yield from (f"{text}: {written(text)(*names)}" for text in OWNERS)
    yield from (f"{text}: {owner(*names)}" for text, owner in known())


def _told(title: str, path: Path, name: str) -> Iterator[str]:
    made = own.prepared(named(f"{path}:{name}"), "")
    yield f"{title}: {made.owner or 'no owner'} {all_digested([str(made.results)])}"
    for guarantee, texts in made.texts.items():
        said = ((one.name, f"{one.name} {one.sentence} {one.text} {one.teeth}") for one in texts)
        yield f"  {guarantee}: {each_digested((step, text.replace(str(path), path.name)) for step, text in said)}"
    for why in dict.fromkeys(made.untold.values()):
        yield f"  {', '.join(one for one in made.untold if made.untold[one] == why)}: {why}"
    if made.code:
        yield f"  {re.sub('[0-9a-f]{64}', '...', made.code)} {dict(made.constants)}"
