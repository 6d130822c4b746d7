"""What is known of gRPC clients (rocketmq-clients), for which ``rebalance settle`` has no bound."""

from rebalance_proofs.model.receiving.releases import named, whose
from rebalance_proofs.report.settling.settle import EVENTS

SAME = (
    "The proxy assigns every broker to every consumer of a group, so the other consumers receive without a pause "
    "(read in RouteActivity.queryAssignment of proxies 5.0.0 and 5.5.0)."
)
HELD = (
    "Messages that it had received and not acknowledged are redelivered. Those of a push consumer become visible at "
    "most 76 s after its last heartbeat: the proxy removes it after 60 s, checked every 10 s and every 5 s, and then "
    "asks the broker to hide them for 1 s (defaults, read in proxy 5.5.0 in cluster mode). Those of a SimpleConsumer "
    "become visible when their invisible duration ends. Unknown is how soon the broker delivers them then."
)
JOINS = (
    "A consumer queries its assignments 1 s after its start, and then every 5 s (read in Java 5.0.8 and Python 5.1.1)."
)
WAITS = (
    "shutdown() waits for receive requests and listeners that run, and then 1 s for the acknowledgements (read in Java "
    "5.0.8); other clients were not read."
)
KNOWN = {"crash": (SAME, HELD), "host-lost": (SAME, HELD), "join": (SAME, JOINS), "shutdown": (SAME, WAITS)}
"""Event -> sentences about what is known."""


def no_bound(client: str, event: str) -> str:
    """Return why there is no bound for a gRPC client, and what is known; empty for any other client."""
    found = named(client)
    if found is None:
        return ""
    begin = f"{whose(found.release)} has no bound for the event {EVENTS[event].name}: nothing is proved or explored"
    return ". ".join((begin, " ".join(KNOWN.get(event, (SAME,))).removesuffix(".")))
