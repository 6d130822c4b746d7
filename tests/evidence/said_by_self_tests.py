"""What each self-test's comparer says of its planted fault: pinned, so that the fault stays the one that was planned.

``python -m tests.evidence.said_by_self_tests`` writes the pins anew. What is said of recorded results is not pinned:
it goes by their last rows.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rebalance_proofs.evidence.self_tests import (
    calls,
    formulas,
    groups,
    models,
    positions,
    promises,
    records,
    singles,
    sizes,
    solvers,
    tables,
    verdicts,
)
from rebalance_proofs.evidence.self_tests.trial import Trial, tried

FILE = Path(__file__).with_suffix(".json")
ROOMS: Mapping[str, Callable[[], Sequence[Trial]]] = {
    "positions": positions.trials,
    "formulas": formulas.trials,
    "sizes": sizes.trials,
    "singles": singles.trials,
    "calls": calls.trials,
    "tables": tables.trials,
    "models": models.trials,
    "promises": promises.trials,
    "groups": groups.trials,
    "records": records.trials,
    "solvers": solvers.trials,
    "verdicts": verdicts.trials,
}


def main() -> None:
    """Write the pins."""
    said = {test.name: test.said for room in ROOMS.values() for test in map(tried, room())}
    FILE.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
