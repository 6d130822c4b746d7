"""What several clients in one group do differently, from the claims about mixed clients."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rebalance_proofs.language import gettext
from rebalance_proofs.model.receiving.releases import is_sdk
from rebalance_proofs.model.releases import LANGUAGES, OTHERS
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.symptoms.asked import whose
from rebalance_proofs.report.text.english import listing

FAMILY, GUARANTEES = "clients", ("disjoint", "covers", "covers-listed")
"""Family of the claims about two clients in one group, and the guarantees that are refuted for some."""


def mixed(releases: Sequence[str]) -> Iterator[str]:
    """Yield sentences about a group with clients of several releases; nothing for one release.

    An empty release stands for Java without a version.
    """
    if any(map(is_sdk, releases)) and not all(map(is_sdk, releases)):
        yield gettext(
            "A group with gRPC clients and other clients is not modelled. In a recorded group, gRPC members also got "
            "each message of a remoting member that pulled, most of them twice (recorded/grpc/proxy-5.5.0/grpc_mixed)."
        )
    every = tuple(dict.fromkeys(one for one in releases if not is_sdk(one)))
    if len(every) < 2:  # a pair
        return
    languages = tuple(dict.fromkeys(one if one in OTHERS else "java" for one in every))
    for one, other in combinations(languages, 2):
        names = {"one": LANGUAGES[one], "other": LANGUAGES[other]}
        if found := _differ(one, other):
            yield gettext(
                "{one} and {other} in one group: {strategies} differ, so queues have two owners or none. Use AVG. See "
                "`rebalance why mixed-clients`."
            ).format(strategies=listing(found), **names)
        yield gettext(
            "{one} and {other} in one group: both must sort queues and client ids alike. See `rebalance why "
            "sorted-differently`."
        ).format(**names)
    java = [whose(one) for one in every if one and one not in OTHERS]
    if len(java) > 1:
        yield gettext(
            "{clients} in one group: all must use one allocation strategy. See `rebalance why strategies-differ`."
        ).format(clients=listing(java))


def _differ(one: str, other: str) -> list[str]:
    """Return the strategies that two languages implement differently, by RocketMQ's names."""
    found: dict[str, None] = {}
    for name, entry in entries().items():
        family, pair, guarantee = (*name.split("."), "", "")[:3]
        if family == FAMILY and guarantee in GUARANTEES and entry.expected == "REFUTED":
            clients = [_languages(part, label) for part, label in zip(pair.split("+"), entry.labels, strict=False)]
            if any(one in first and other in second for first, second in (clients, clients[::-1])):
                found.update(dict.fromkeys(entry.strategies))
    return list(found)


def _languages(strategy: str, label: str) -> tuple[str, ...]:
    """Return the languages whose clients have a strategy: ``room-go``, or Java's, which Rust's may share."""
    own = strategy.rpartition("-")[2]
    if own in OTHERS:
        return (own,)
    return ("java", *(name for name in OTHERS if LANGUAGES[name] in label))
