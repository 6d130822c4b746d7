"""One self-test: a comparer, applied to something right and to something wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.evidence import SelfTest


@dataclass(frozen=True)
class Trial:
    """A comparer's failures, as sentences that a run would list; none where nothing is wrong."""

    name: str
    right: Callable[[], Sequence[str]]
    """The failures about something right."""
    wrong: Callable[[], Sequence[str]]
    """The failures about the same with one thing made wrong."""


def tried(trial: Trial) -> SelfTest:
    """Whether the comparer notices the wrong thing; one that raises an exception has not noticed it."""
    try:
        false_alarm, said = trial.right(), trial.wrong()
    except Exception as error:
        return SelfTest(trial.name, False, f"it raised {type(error).__name__}: {error}")
    if false_alarm:
        return SelfTest(trial.name, False, f"nothing was wrong, and yet it said: {false_alarm[0]}")
    return SelfTest(trial.name, bool(said), said[0] if said else "it said nothing")
