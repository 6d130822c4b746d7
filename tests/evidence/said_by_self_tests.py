"""What each self-test's comparer says of its planted fault: pinned, so that the fault stays the one that was planned.

``python -m tests.evidence.said_by_self_tests`` writes the pins anew. What is said of recorded results is not pinned:
it goes by their last rows.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rebalance_proofs.evidence.self_tests import records, run, solvers, verdicts
from rebalance_proofs.evidence.self_tests.run import ENUMERATING
from rebalance_proofs.evidence.self_tests.trial import Trial, tried

FILE = Path(__file__).with_suffix(".json")
ROOMS: Mapping[str, Callable[[], Sequence[Trial]]] = {
    room.__name__.rpartition(".")[2]: room.trials for room in (*ENUMERATING, records, solvers, verdicts, run)
}


def main() -> None:
    """Write the pins."""
    said = {test.name: test.said for room in ROOMS.values() for test in map(tried, room())}
    FILE.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
