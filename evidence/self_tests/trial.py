"""One self-test: a comparer, applied to right and to wrong input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.evidence import SelfTest


@dataclass(frozen=True)
class Trial:
    """A comparer's failures, as sentences that a run would list; none if nothing is wrong."""

    name: str
    right: Callable[[], Sequence[str]]
    """The failures about right input."""
    wrong: Callable[[], Sequence[str]]
    """The failures about the same input with one fault."""


def tried(trial: Trial) -> SelfTest:
    """Check whether the comparer reports the fault.

    A comparer that raises an exception has not reported it.
    """
    try:
        false_alarm, said = trial.right(), trial.wrong()
    except Exception as error:
        return SelfTest(trial.name, False, f"it raised {type(error).__name__}: {error}")
    if false_alarm:
        return SelfTest(trial.name, False, f"it reported a fault in right input: {false_alarm[0]}")
    return SelfTest(trial.name, bool(said), said[0] if said else "it reported nothing")
