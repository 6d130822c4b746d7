"""What the trace of a run shows, step by step: the thread, its flag and its latch, and whether the change was seen."""

from collections.abc import Iterator

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.things import FIRST, Thing, yes

__all__ = ["things"]

PLACES = {
    "looks": "looks at its flag next",
    "resets": "resets its latch next",
    "waits": "waits",
    "clears": "clears its flag next",
    "woken": "is awake",
    "runs": "rebalances",
}
THREAD = "What `RebalanceService` does, or does next."
FLAG = "`hasNotified`: somebody wants the thread to run."
LATCH = "`waitPoint`: whoever waits for it goes on when it is open."
CHANGE = "Whether a rebalance that has seen the change has ended."


def things(example: Counterexample) -> Iterator[Thing]:
    """The change last."""
    yield Thing("thread", "rebalance thread", "client", words=PLACES.__getitem__, meaning=THREAD)
    yield Thing("flag", "flag", "client", words=lambda on: "set" if on else "clear", owner=yes(FIRST), meaning=FLAG)
    yield Thing("open", "latch", "client", words=lambda on: "open" if on else "closed", owner=yes(FIRST), meaning=LATCH)
    yield Thing(
        "right", "change", "client", words=lambda seen: "seen" if seen else "not seen", owner=yes(FIRST), meaning=CHANGE
    )
