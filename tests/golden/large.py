"""Calls of fast commands that say much: of each paragraph the digest, and how it begins."""

import shlex
from collections.abc import Iterator

from rebalance_proofs.report.symptoms.cause import Symptom
from tests.golden.calls import answered
from tests.golden.digested import digested

CALLS = (
    "list",
    "list --json 'subscriptions.**'",
    "list --client 4.9.8 --mode 'push orderly' --strategy room --all",
    "list --client go --json",
    *(f"why {symptom.value} --all" for symptom in Symptom),
    "why stuck --all --json",
)


def large() -> Iterator[str]:
    """Each call, and the paragraphs of what it says."""
    for call in CALLS:
        yield f"$ rebalance {call}"
        yield from digested(answered(shlex.split(call)))
