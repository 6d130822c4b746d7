"""Recorded models of earlier runs, by kind of claims and subject (strategy or client).

Every run evaluates them again and never trusts them.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model

RECORDED = Path(__file__).with_name("recorded.json.gz")
AT_ONCE = 4
"""Number of subjects whose evaluated terms stay in memory.

It can be small, because claims are judged subject by subject.
"""


class Models:
    """Models of all subjects, by kind of claims.

    ``known()`` returns the recorded models, and is called when they are first needed. ``learning``: whether to add
    models that solvers find, as when models are recorded. Other runs do not add models, so that their output does not
    depend on the order of queries.
    """

    def __init__(self, known: Callable[[], Mapping[str, Iterable[Model]]] = dict, *, learning: bool = False) -> None:
        self._known = known
        self._learning = learning
        self._of: dict[str, Evaluated] = {}

    def of(self, kind: str, subject: Subject) -> Evaluated:
        """Return the models of a subject (strategy or client) for one kind of claims."""
        key = f"{kind} {subject.name}"
        if key not in self._of:
            if len(self._of) >= AT_ONCE and not self._learning:
                del self._of[next(iter(self._of))]
            self._of[key] = Evaluated(self._known().get(key, ()), learning=self._learning)
        return self._of[key]

    def learnt(self) -> dict[str, list[Model]]:
        """Return all models: those recorded, and those added in this run."""
        return {key: of.models for key, of in sorted(self._of.items()) if of.models}


@cache
def recorded() -> Models:
    """Return the models that come with the package; empty if their file is missing."""
    return Models(_read)


@cache
def _read() -> Mapping[str, Iterable[Model]]:
    if not RECORDED.exists():
        return {}
    try:
        found = json.loads(gzip.decompress(RECORDED.read_bytes()))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UsageError(f"cannot read the recorded models in {str(RECORDED)!r}: {error}") from error
    return {key: [dict(zip(names, row, strict=True)) for names, row in models] for key, models in found.items()}


def written(models: Mapping[str, Iterable[Model]]) -> bytes:
    """Return the content of the file of recorded models. Equal models give equal content."""
    rows = {key: [[list(model), list(model.values())] for model in some] for key, some in models.items()}
    return gzip.compress(json.dumps(rows, separators=(",", ":")).encode(), mtime=0)
