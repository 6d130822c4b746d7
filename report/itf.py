"""A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, Counterexample
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable

FORMAT = 1
"""Version of the replay data.

Increases when a reader of the old form would misread the new one.
"""


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """Return the trace of a counterexample that a run found, as dicts and lists for JSON."""
    return trace_of(result.claim, example)


def trace_of(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """Return the trace of a claim's counterexample, with one state for each step.

    ``#meta`` holds the data to replay it: ``replay`` for the whole trace, ``does`` for each state.
    """
    kind = shown(claim)
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": claim.id,
        "description": f"{readable(claim.sentence)} {kind.lines(claim, example)[-1]}",
        "varTypes": dict(kind.types),
    }
    steps: Sequence[Mapping[str, Any]] = ()
    if kind.again:
        whole, steps = kind.again.recipe(claim, example)
        meta["replay"] = {"format": FORMAT, **whole}
    states = []
    for number, state in enumerate(kind.states(claim, example)):
        does = {"does": steps[number - 1]} if 0 < number <= len(steps) else {}
        states.append({"#meta": {"index": number, **does}} | state)
    return {"#meta": meta, "vars": list(kind.types), "states": states}
