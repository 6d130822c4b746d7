"""Recorded results of exploring the standard groups, which every later run is compared with.

``python -m rebalance_proofs.evidence.groups`` explores the groups again and records the results;
docs/explanation/trust.md explains the meaning of renewed results.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rebalance_proofs.evidence.digests import written
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.explorer.groups import gone_through
from rebalance_proofs.spark_enum.explorer.recorded import FILE, Record
from rebalance_proofs.spark_enum.explorer.standard import LARGER, QUICK, Standard

TABLES: Mapping[str, Sequence[Standard]] = {"quick": QUICK, "larger": LARGER}


def record(file: Path = FILE, tables: Mapping[str, Sequence[Standard]] = TABLES) -> int:
    """Explore the groups and write their results; return the number of groups.

    Raises ``UsageError`` if a group reaches a state that a claim excludes: that is a contradiction, not a result to
    record.
    """
    told: dict[str, dict[str, Record]] = {part: {} for part in tables}
    for part, groups in tables.items():
        for group in groups:
            found, _ = gone_through(group)
            for claim in contradicted(found):
                raise UsageError(f"{group.name} reaches a state that {claim} excludes")
            told[part][group.name] = found
    documents = {part: {name: found.document() for name, found in groups.items()} for part, groups in told.items()}
    file.write_text(written(documents), encoding="utf-8")
    return sum(map(len, tables.values()))


def contradicted(found: Record) -> list[str]:
    """Return the claims, expected to be PROVED, that exclude a state that was found."""
    held = {claim.id for claim in LEDGER if claim.expected is Verdict.PROVED}
    return [
        claim
        for watch, steps in found.steps.items()
        if steps is not None
        for claim in found.watched[watch]
        if claim in held
    ]


if __name__ == "__main__":
    try:
        print(f"recorded: {record()} groups")
    except UsageError as error:
        sys.exit(f"python -m rebalance_proofs.evidence.groups: {error}")
