"""One self-test: a comparison, applied to right and to wrong input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.failures import SelfTest


@dataclass(frozen=True)
class Trial:
    """A self-test of one comparison, by the failures that a run would list.

    Failures are sentences; there are none if the comparison finds nothing wrong.
    """

    name: str
    right: Callable[[], Sequence[str]]
    """Return the failures about right input, which must be none."""
    wrong: Callable[[], Sequence[str]]
    """Return the failures about the same input with one fault."""


def tried(trial: Trial) -> SelfTest:
    """Check that the comparison reports the fault, and nothing about right input.

    A comparison that raises an exception has not reported the fault.
    """
    try:
        false_alarm, said = trial.right(), trial.wrong()
    except Exception as error:
        return SelfTest(trial.name, False, f"it raised {type(error).__name__}: {error}")
    if false_alarm:
        return SelfTest(trial.name, False, f"it reported a fault in right input: {false_alarm[0]}")
    return SelfTest(trial.name, bool(said), said[0] if said else "it reported nothing")
