"""What each self-test's comparer says of its planted fault: pinned, so that the fault stays the one that was planned.

``make pins`` writes the pins. What is said of recorded results is not pinned: it goes by their last rows.
"""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.evidence.self_tests import solvers, verdicts
from rebalance_proofs.evidence.self_tests.run import enumerating
from rebalance_proofs.evidence.self_tests.trial import Trial, tried

ROOMS: Mapping[str, Callable[[], Sequence[Trial]]] = {
    **{trials.__name__: trials for trials in (*enumerating(), verdicts.verdicts, verdicts.evaluated)},
    "records": verdicts.trials,
    "solvers": solvers.trials,
}


def said() -> Mapping[str, str]:
    """Return what each self-test's comparer says."""
    return {test.name: test.said for room in ROOMS.values() for test in map(tried, room())}
