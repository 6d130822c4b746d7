"""Table layout of claims about a broker's registry: circumstances in rows, releases in columns."""

from rebalance_proofs.report.family import Family
from rebalance_proofs.report.runs import Places, circumstances

REGISTRY = Family(
    "registry",
    "Members and routes",
    "Which members a broker lists, and for how long. Which members it notifies, and how old a route can be.",
    ("Claim", "When"),
    spelled_out=True,
    table="Columns are releases of brokers and clients; rows are conditions.",
)
WHEN = {
    "steady": "if heartbeats arrive, and connection and broker stay up",
    "reached": "if heartbeats arrive, whatever happens to connections and the broker",
    "left": "if no other group or producer refreshes the channel",
    "threw": "if no other group or producer refreshes the channel",
    "threw-anyhow": "if the broker scans in time",
    "closed": "if the broker notices the close at once",
    "good-bye": "if `unregisterClient` arrives and no earlier heartbeat follows it",
    "one-connection": "if the broker notices each disconnect before the reconnect",
    "scanned": "if the broker scans in time",
    "agreeing": "if heartbeats and scans are in time at both brokers",
    "agreeing-anyhow": "if heartbeats and scans are in time at both brokers, whatever other groups do",
    "notified": "if close events come before scans and notifications are immediate",
    "collected": "if changes are collected, and none arrives during a send",
    "greeted": "if the heartbeat lock is free",
    "polled": "if polls are answered in time",
}


PLACES = Places(REGISTRY, circumstances(WHEN))
