"""Bugs in a client's table of queues."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of, of_pulls
from rebalance_proofs.report.symptoms.causes.of_clients import transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A queue that is taken away and given back has no live entry: a dropped one stays in its place.",
        present=of(transition("returns.push-orderly-as-shipped")),
        absent=(Said("transition.node.returns"),),
    ),
    Bug(
        "An entry from which nothing was pulled for two minutes is taken away, although the queue is the client's own.",
        1918,
        present=(*of(transition("kept.push")), *of_pulls("only-lost", when="as its request waits")),
    ),
)
