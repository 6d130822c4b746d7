"""Run the trace of a claim's counterexample on the modelled client code, and compare the states."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.replay.different import different
from rebalance_proofs.report.replay.file import NotATrace
from rebalance_proofs.report.replay.read import Trace
from rebalance_proofs.report.replayable import NotARun


@dataclass(frozen=True)
class Held:
    """Result of comparing a trace with the modelled client code."""

    example: Counterexample
    """The counterexample as the modelled client code produced it in the replay."""
    states: int = 0
    """Number of states of the trace; all agree if ``wrong`` is empty."""
    wrong: str = ""
    """The first difference in a sentence; empty if all states agree and the guarantee is broken."""


def held(trace: Trace) -> Held:
    """Run a trace on the modelled client code.

    Raises ``NotATrace`` if a recorded action is invalid.
    """
    claim, kind = trace.claim, shown(trace.claim)
    if kind.again is None:
        raise NotATrace(
            f"traces of the kind {claim.kind!r} cannot be replayed; `rebalance replay {claim.id}` replays the claim"
        )
    try:
        ran = kind.again.run(claim, trace.replay, trace.steps)
    except NotARun as error:
        raise NotATrace(f"the actions of the trace cannot be run: {error}") from None
    does = json.loads(json.dumps(kind.states(claim, ran.example)))
    wrong = _differs(trace, does)
    if not wrong and ran.stopped:
        wrong = f"{_named(trace, len(does))}: {ran.stopped}."
    if not wrong and len(does) != len(trace.states):
        wrong = f"the trace has {len(trace.states)} states, and the replay has {len(does)}."
    if not wrong and not ran.example.sentence:
        wrong = "the client's code takes all steps, but no guarantee is broken at the end."
    return Held(ran.example, len(trace.states), wrong)


def _differs(trace: Trace, does: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the first state that differs.

    Empty if all states that both have agree.
    """
    for number, (told, state) in enumerate(zip(trace.states, does, strict=False)):
        differs = next(different(told, state), "")
        if differs:
            return f"{_named(trace, number)}: {differs}."
    return ""


def _named(trace: Trace, number: int) -> str:
    """Return the name of state ``number`` for messages: ``step 3 (locks)``, ``state 0``."""
    if not trace.steps:
        return f"state {number}"
    if not number:
        return "initial state"
    return f"step {number} ({trace.steps[number - 1].get('action')})"
