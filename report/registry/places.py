"""Places of the claims about a broker's registry: circumstances in rows, releases in columns."""

from rebalance_proofs.report.family import Family
from rebalance_proofs.report.runs import Places, circumstances

__all__ = ["PLACES", "REGISTRY"]

REGISTRY = Family(
    "registry",
    "Members and routes",
    "Which members a broker lists, and for how long. Which members it notifies, and how old a route can be.",
    ("Claim", "When"),
    spelled_out=True,
    table="Columns are releases of brokers and clients; rows are conditions.",
)
WHEN = {
    "steady": "when its connection and the broker stay, and its heartbeats arrive",
    "reached": "when its heartbeats arrive, whatever happens to connections and the broker",
    "left": "when its process goes on with no other group or producer, or the broker hears that it leaves",
    "threw": "when no heartbeat of another group or producer of its process keeps it listed",
    "closed": "when the broker hears of the close at once",
    "good-bye": "when its good-bye arrives",
    "one-connection": "when the broker hears of the end of each connection before the next one is made",
    "scanned": "when the broker scans in time",
    "agreeing": "when heartbeats arrive at both, and both scan in time",
    "notified": "when the broker hears of the end of each connection before a scan removes it, and notifies at once",
    "collected": "when it hears so, collects changes, and none comes between the two steps of sending",
    "greeted": "when nothing else holds the lock of heartbeats",
    "polled": "when polls are answered in time",
}


PLACES = Places(REGISTRY, circumstances(WHEN))
