"""Find all problems in a run."""

from rebalance_proofs.recorded.seen.backs import backs
from rebalance_proofs.recorded.seen.facts import Fact
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.recorded.seen.never import never
from rebalance_proofs.recorded.seen.overlaps import overlaps
from rebalance_proofs.recorded.seen.pauses import SHORTEST, pauses
from rebalance_proofs.recorded.seen.twice import twice


def seen(history: History, shortest_pause: int = SHORTEST) -> list[Fact]:
    """Return all problems of a run, sorted by kind and time.

    ``shortest_pause``: shortest reported pause in ms.
    """
    found: list[list[Fact]] = [
        [*twice(history)],
        [*never(history)],
        [*overlaps(history)],
        [*pauses(history, shortest_pause)],
        [*backs(history)],
    ]
    return [fact for kind in found for fact in sorted(kind, key=lambda fact: (fact.at, fact.q))]
