"""Read the trace of a claim's counterexample, and find the claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.replay.file import NotATrace, States, bare, does, recipe, states


@dataclass(frozen=True)
class Trace:
    """The trace of a claim's counterexample, ready for a replay."""

    claim: Claim
    replay: Mapping[str, Any]
    """Replay data of the whole trace, from its ``#meta``."""
    steps: Sequence[Mapping[str, Any]]
    """Replay data of each step; empty if ``replay`` suffices."""
    states: States
    """The states without their ``#meta``."""


def checked(document: Any) -> Trace:
    """Check a parsed trace file, and return its trace. Raises ``NotATrace``."""
    meta = document.get("#meta") if isinstance(document, dict) else None
    if not isinstance(meta, dict) or meta.get("format") != "ITF":
        raise NotATrace("the file is not a trace in the ITF format")
    claim = LEDGER.find(str(meta.get("source")))
    if claim is None:
        raise NotATrace(f"its claim is unknown to this version: {meta.get('source')!r}")
    replay = recipe(meta, f"rebalance prove {claim.id} --output DIR")
    every = states(document, shown(claim).types, claim.id)
    return Trace(claim, replay, does(every), bare(every))
