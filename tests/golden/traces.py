"""What is written and drawn of counterexamples: the data to replay them, and digests of their states and figures."""

import json
from collections.abc import Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.claims.played import trace_of
from rebalance_proofs.report.kinds import shown, smallest
from tests.golden.digested import digest
from tests.golden.examples import STEPS, of_worlds
from tests.report.long import LONG


def traces() -> Iterator[str]:
    """Of one claim for each world of groups, each promise of a client in each scenario, and each kind with steps."""
    for claim in dict.fromkeys((*of_worlds(), *_promises(), *select([*STEPS]))):
        kind, example = shown(claim), smallest(claim)
        trace = trace_of(claim, example)
        yield f"{claim.id}: {' '.join(trace['vars'])}"
        yield f"  {json.dumps(trace['#meta'].get('replay'))}"
        for state in trace["states"]:
            yield f"  {digest(json.dumps(state), 12)} {json.dumps(state['#meta'].get('does'))}"
        if claim.kind == "transition":
            yield from (f"  {line}" for line in kind.lines(claim, example))
        if kind.figure:
            yield f"  drawn: {digest(kind.figure(claim, example), 12)}"


def _promises() -> Iterator[Claim]:
    first = {
        (claim.guarantee.name, claim.world.name): claim
        for claim in reversed(LEDGER)
        if claim.kind == "transition" and not claim.holds and claim not in LONG
    }
    return reversed(first.values())
