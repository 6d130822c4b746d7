"""Known bugs in a client's ``processQueueTable``."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of, of_pulls
from rebalance_proofs.report.symptoms.causes.of_clients import transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A queue that is taken away and comes back keeps a dropped ProcessQueue and gets no live one.",
        present=of(transition("returns.push-orderly-as-shipped")),
        absent=(Said("transition.node.returns"),),
    ),
    Bug(
        "A lite pull consumer of 5.5.0 ends all pulls of a topic that has no readable queue for a time, for good.",
        9780,
        not_modelled="pull tasks of lite pull consumers; observed on a real group of 5.5.0, and not on one of 5.4.0",
    ),
    Bug(
        "The client removes a ProcessQueue that was not pulled for two minutes, although it owns the queue.",
        1918,
        present=(*of(transition("kept.push")), *of_pulls("only-lost", when="while its request waits")),
    ),
)
