"""Table layout of claims about pull requests: circumstances in rows, clients in columns."""

from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

__all__ = ["PLACES", "PULLS"]

PULLS = Family(
    "pulls",
    "Pull requests",
    "How many pull requests circulate for a queue's entry, how one gets lost, and how the client recovers. Also the "
    "repair of an illegal offset, and suspended consumers. The claims cover push consumers, ordered or not.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    "quiet": "when nothing is thrown, interrupted, or late",
    "queried": "when nothing is thrown, interrupted, or late, and an entry stays while the offset of its first pull is "
    "asked for",
    "connected": "when pulls are sent in time, whatever is thrown but by a write of Netty's",
    "whatever": "whatever is thrown or late, but for a write of Netty's",
    "running": "when the consumer is not suspended",
    "no-error": "when no `Error` is thrown in `pullMessage`",
    "prompt": "when pulls are sent in time, no answer comes after its entry has left, and a task that is due is done "
    "before the next rebalance",
}


PLACES = Places(PULLS, circumstances(WHEN))
