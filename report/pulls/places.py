"""Table layout of claims about pull requests: circumstances in rows, clients in columns."""

from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

__all__ = ["PLACES", "PULLS"]

PULLS = Family(
    "pulls",
    "Pull requests",
    "How many pull requests circulate for a process queue, how one gets lost, and how the client recovers. Also the "
    "repair of an illegal offset, and suspended consumers. The claims cover push consumers, ordered or not.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    "quiet": "if nothing throws, is interrupted or is late",
    "queried": "if nothing throws or is late, and first pulls end before removal",
    "connected": "if pulls are sent in time, whatever throws except a Netty write",
    "whatever": "whatever throws or is late, except a Netty write",
    "running": "if the consumer is not suspended",
    "no-error": "if no `Error` is thrown in `pullMessage`",
    "prompt": "if pulls and repairs are in time, and no answer follows a removal",
}


PLACES = Places(PULLS, circumstances(WHEN))
