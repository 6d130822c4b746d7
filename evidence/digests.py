"""Recorded digests of the standard enumerations, which every later run is compared with.

``python -m rebalance_proofs.evidence.digests RUN/results.json`` records the digests of a run of ``rebalance verify`` or
``rebalance enumerate``. docs/explanation/trust.md explains the meaning of renewed digests.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.failures import Required
from rebalance_proofs.report.results import json_results
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.results import Enumerated

# File format of recorded results: JSON with one value per line, and keys in order.
# Differences between versions are therefore readable.


def written(documents: object) -> str:
    """Return the documents as text in this format."""
    return json.dumps(documents, indent=1, sort_keys=True) + "\n"


FILE = Path(__file__).with_name("recorded_digests.json")

STANDARD: Mapping[str, Bounds] = {"default": Bounds(), "quick": QUICK, "thorough": thorough(Bounds())}
"""Name -> bounds for which digests are recorded.

For the thorough bounds, only differences from the default are recorded.
"""


def digests(bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield each digest of an enumeration, and the recorded one that it must equal.

    Recorded digests that the enumeration lacks are yielded, too. Yields nothing for bounds without recorded digests.
    """
    name = standard(bounds)
    if name is None:
        return
    known = json.loads(FILE.read_text(encoding="utf-8"))
    recorded = (known.get("default", {}) if name == "thorough" else {}) | known.get(name, {})
    if not recorded:
        yield Required(f"digests of the {name} bounds in {FILE.name}", "all", "none")
        return
    told = of(json_results.enumerated(found))
    lost = dict.fromkeys((one.name for one in found.findings if one.name in recorded), "none")
    for subject, digest in (lost | told).items():
        yield Required(f"digest of {subject} at the {name} bounds", recorded.get(subject, "none recorded"), digest)


def standard(bounds: Bounds) -> str | None:
    """Return the name of the standard bounds that equal ``bounds``; None if there are none.

    ``at_size`` and ``at_size_without`` are ignored.
    """
    unasked = replace(bounds, at_size=(0, 0), at_size_without=(0, 0))
    known = {name: replace(one, at_size=(0, 0), at_size_without=(0, 0)) for name, one in STANDARD.items()}
    return next((name for name, one in known.items() if one == unasked), None)


def of(enumerated: Mapping[str, Any]) -> dict[str, str]:
    """Return the digest of each part of an enumeration, by the part's name.

    Parts are spaces of groups, joins, transitions, equivalence classes and claims about transitions. ``enumerated``
    is the part of a results.json. Digests of explored groups are recorded elsewhere, with their other numbers.
    """
    found = (found for found in enumerated["findings"] if found["kind"] != EXPLORED)
    return {one["name"]: one["digest"] for one in found if one["digest"]}


def record(results: Path, file: Path = FILE) -> str:
    """Write the digests of a run with standard bounds; return the name of the bounds.

    Digests of claims that the run did not enumerate stay unchanged. Raises ``UsageError`` if the file ``results``
    contains no such run.
    """
    try:
        found = json.loads(results.read_text(encoding="utf-8"))
        name = _name(found["options"])
        told, complete = of(found["enumerated"]), found["complete"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{results} is not a results.json of `rebalance verify`: {error}") from error
    if not complete or name is None:
        raise UsageError(
            f"{results} is from an interrupted run, or from a run without the standard bounds; run it again"
        )
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if name == "thorough":
        told = dict(told.items() - known.get("default", {}).items())
    file.write_text(written(known | {name: known.get(name, {}) | told}), encoding="utf-8")
    return name


def _name(options: Mapping[str, Any]) -> str | None:
    base = STANDARD["quick" if options["quick"] else "thorough" if options.get("thorough") else "default"]
    return standard(replace(base, queues=options["queues"], consumers=options["consumers"]))


if __name__ == "__main__":
    try:
        if len(sys.argv) != 2:
            raise UsageError("name one file, the results.json of a run")
        print(f"recorded: {record(Path(sys.argv[1]))}")
    except UsageError as error:
        print(f"python -m rebalance_proofs.evidence.digests: {error}", file=sys.stderr)
        sys.exit(2)
