"""``python -m benchmarks.grown RESULTS [--record]``: whether a kind's proofs have become dearer against the others.

RESULTS is the results.json of a run of all claims. Solvers' processor seconds of each kind are compared with the
recorded ones. A slower machine slows all kinds down, so each is compared with the middle one. Even so, seconds on a
shared machine are no verdict: the sentences are notes, and the exit status is 0.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

RECORDED = Path(__file__).with_name("seconds_by_kind.json")
MOST = 1.5
"""What a kind may take, as a multiple of what it took, both against the middle kind."""
SMALL = 5.0
"""Seconds below which a kind is too small to be measured."""


def by_kind(results: Path) -> Mapping[str, float]:
    """Solvers' processor seconds by the first part of claims' ids."""
    seconds = Counter[str]()
    for claim in json.loads(results.read_text(encoding="utf-8"))["claims"]:
        seconds[claim["id"].partition(".")[0]] += claim["seconds"]
    return dict(seconds)


def dearer(now: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """A sentence for each kind that has grown by more than half; kinds that are small, or not recorded, are left
    out."""
    ratios = {kind: now[kind] / before[kind] for kind in now if before.get(kind, 0) >= SMALL}
    if not ratios:
        return []
    usual = median(ratios.values())
    return [
        f"proofs of {kind} take {ratio / usual:.1f} times what they took, against the other kinds"
        for kind, ratio in ratios.items()
        if ratio > MOST * usual
    ]


def main(words: Sequence[str]) -> int:
    """Compare, or record; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grown", description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(words)
    now = by_kind(options.results)
    if options.record:
        rounded = {kind: round(seconds, 1) for kind, seconds in sorted(now.items())}
        RECORDED.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        return 0
    grown = dearer(now, json.loads(RECORDED.read_text(encoding="utf-8")))
    for sentence in grown:
        print(f"note: {sentence}; if it has to be so: python -m benchmarks.grown {options.results} --record")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
