"""A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from typing import Any

from rebalance_proofs.proofs.results import ClaimResult, Counterexample
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """The counterexample of a claim as its kind tells it: the variables, and one state after the other."""
    claim = result.claim
    kind = shown(claim)
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": claim.id,
        "description": f"{readable(claim.sentence)} {kind.lines(claim, example)[-1]}",
        "varTypes": dict(kind.types),
    }
    states = [{"#meta": {"index": number}} | state for number, state in enumerate(kind.states(claim, example))]
    return {"#meta": meta, "vars": list(kind.types), "states": states}
