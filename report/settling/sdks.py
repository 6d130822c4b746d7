"""What is known of gRPC clients (rocketmq-clients), for which ``rebalance settle`` has no bound."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from rebalance_proofs.model.receiving.releases import ANY, READ, option, whose
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.settling.settle import EVENTS
from rebalance_proofs.report.text.english import listing

WHERE = "(read in RouteActivity.queryAssignment of proxies 5.0.0 and 5.5.0)."
ALL = f"The proxy assigns every broker to every consumer of a group {WHERE}"
SAME = (
    "The proxy assigns every broker to every consumer of a group, so the other consumers receive without a pause "
    f"{WHERE}"
)
HELD = (
    "Messages that the {} consumer had received and not acknowledged are redelivered. Those of a push consumer become "
    "visible at most 76 s after its last heartbeat: the proxy removes it after 60 s, checked every 10 s and every 5 s, "
    "and then asks the broker to hide them for 1 s (defaults, read in proxy 5.5.0 in cluster mode). Those of a "
    "SimpleConsumer become visible when their invisible duration ends. Unknown is how soon the broker delivers them "
    "then."
)
AGAIN = (
    "In a recorded group with a proxy in local mode, other consumers got such messages 121.5 s after the kill "
    "(recorded/grpc/proxy-5.5.0/grpc_crash). This was observed once, and is not a bound."
)
JOINS = (
    "A consumer queries its assignments 1 s after its start, and then every 5 s (read in Java 5.0.8 and Python 5.1.1)."
)
WAITS = (
    "shutdown() waits for receive requests and listeners that run, and then 1 s for the acknowledgements (read in Java "
    "5.0.8); other clients were not read."
)
KNOWN = {
    "crash": (SAME, HELD.format("crashed"), AGAIN),
    "host-lost": (SAME, HELD.format("lost")),
    "join": (SAME, JOINS),
    "shutdown": (SAME, WAITS),
    **dict.fromkeys(("broker-restart", "broker-frozen", "broker-added", "queues-added"), (ALL,)),
}
"""Event -> sentences about what is known; ``SAME`` for other events."""
WORD = re.compile(
    r"grpc|org|apache|github\.com|rocketmq5?|clients?|sdks?|parent|simple|push|consumers?|simpleconsumers?|proxy|spring\w*"
    r"|java|go|golang|cpp|c\+\+|rust|csharp|c#|dotnet|\.net|node|nodejs|node\.js|typescript|python\d?"
    r"|boot|starter|version|v?5(?:\.x)?|v?\d{1,2}(?:\.\d{1,3}){1,2}"
)
"""Words of a gRPC client's name, and versions."""


def no_bound(names: Sequence[str], event: str) -> str:
    """Return why there is no bound for gRPC clients among the named ones, and what is known; empty without any.

    Raises ``UsageError`` for a name that only begins like that of a gRPC client.
    """
    found = dict.fromkeys(whose(one) for one in map(_release, names) if one)
    if not found:
        return ""
    plural = len(found) > 1 or whose(ANY) in found
    begin = f"{listing(found)} {'have' if plural else 'has'} no bound for the event {EVENTS[event].name}"
    told = f"{begin}: nothing is proved or explored", " ".join(KNOWN.get(event, (SAME,))).removesuffix(".")
    return ". ".join(told)


def _release(name: str) -> str:
    """Return the release of a gRPC client, or "". Raises ``UsageError`` for a name with an unknown word or version."""
    found = option(name)
    if found is None:
        return ""
    plain = name.casefold().removesuffix(".jar")
    words = [word for word in re.split(r"[\s/:@=_()-]+|[^\x00-\x7f]+", plain) if word]
    version = re.search(r"(?<![\w.])v?(\d{1,2})\.\d", plain)
    majors = {one.partition(".")[0] for one in READ.get(found.release.partition(" ")[0], ()) if one}
    if not all(map(WORD.fullmatch, words)) or (version and majors and version[1] not in majors):
        known = [ANY, *READ, *(f"{sdk} {one}" for sdk, versions in READ.items() for one in versions if one)]
        (near,) = get_close_matches(plain, known, n=1, cutoff=0) or [ANY]
        raise UsageError(f"unknown client {name!r}; did you mean {near!r}?")
    return found.release
