"""One self-test: a comparer, something right, and something wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.evidence import SelfTest


@dataclass(frozen=True)
class Trial:
    """What a comparer says, as the sentences that a run would list as failures; none where nothing is wrong."""

    name: str
    right: Callable[[], Sequence[str]]
    """About what the run compares: nothing is wrong with that."""
    wrong: Callable[[], Sequence[str]]
    """About the same with one thing made wrong."""


def tried(trial: Trial) -> SelfTest:
    """Whether the comparer notices; one that raises instead of saying something has not."""
    try:
        false_alarm, said = trial.right(), trial.wrong()
    except Exception as error:
        return SelfTest(trial.name, False, f"it raised {type(error).__name__}: {error}")
    if false_alarm:
        return SelfTest(trial.name, False, f"nothing was wrong, and yet it said: {false_alarm[0]}")
    return SelfTest(trial.name, bool(said), said[0] if said else "it said nothing")
